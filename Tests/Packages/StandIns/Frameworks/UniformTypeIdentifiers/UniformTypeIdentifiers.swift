/// https://developer.apple.com/documentation/uniformtypeidentifiers/uttype-swift.struct
public struct UTType: Sendable, Hashable {
    public let identifier: String

    public static var url: UTType { UTType(identifier: "public.url") }
    public static var plainText: UTType { UTType(identifier: "public.plain-text") }
    public static var utf8PlainText: UTType { UTType(identifier: "public.utf8-plain-text") }
}

public struct UTType: Sendable, Hashable {
    public let identifier: String

    public static let url = UTType(identifier: "public.url")
    public static let plainText = UTType(identifier: "public.plain-text")
}

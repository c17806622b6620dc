/// https://developer.apple.com/documentation/uniformtypeidentifiers/uttype-swift.struct
@available(macOS 11.0, iOS 14.0, *)
public struct UTType: Sendable, Hashable {
    private let name: String

    public var identifier: String { name }

    public static var url: UTType { UTType(name: "public.url") }
    public static var data: UTType { UTType(name: "public.data") }
    public static var plainText: UTType { UTType(name: "public.plain-text") }
    public static var utf8PlainText: UTType { UTType(name: "public.utf8-plain-text") }

    public init?(_ identifier: String) {
        guard let type = [Self.url, .plainText, .utf8PlainText].first(where: { $0.name == identifier }) else {
            return nil
        }
        self = type
    }

    /// The Info.plist must export it.
    public init(exportedAs identifier: String, conformingTo parentType: UTType? = nil) {
        self.init(name: identifier)
        isExported = true
    }

    /// Another app's.
    public init(importedAs identifier: String, conformingTo parentType: UTType? = nil) { self.init(name: identifier) }

    public func conforms(to type: UTType) -> Bool {
        self == type || (self == .utf8PlainText && type == .plainText)
    }

    private init(name: String) { self.name = name }

    // MARK: For tests

    /// Whether the app claims to export it.
    package private(set) var isExported = false
}

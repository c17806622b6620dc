public struct UTType: Sendable, Hashable {
    public let identifier: String

    public static let url = UTType(identifier: "public.url")
    public static let plainText = UTType(identifier: "public.plain-text")
    public static let utf8PlainText = UTType(identifier: "public.utf8-plain-text")

    public init?(_ identifier: String) {
        guard let type = [Self.url, .plainText, .utf8PlainText].first(where: { $0.identifier == identifier }) else {
            return nil
        }
        self = type
    }

    public static let data = UTType(identifier: "public.data")

    public init(exportedAs identifier: String, conformingTo parentType: UTType? = nil) {
        self.init(identifier: identifier)
    }

    public func conforms(to type: UTType) -> Bool {
        self == type || (self == .utf8PlainText && type == .plainText)
    }

    private init(identifier: String) {
        self.identifier = identifier
    }
}

/// A text, and how it is looked up in another language.
public struct ShownText: Sendable, Equatable {
    public let text: String
    /// The key; `nil` if the text is shown as it is.
    public let key: String?
    /// The values of the key's placeholders.
    public let arguments: [ShownText]
    /// The number on which the plural depends.
    public let count: Int?

    public init(verbatim text: String) {
        self.text = text
        key = nil
        arguments = []
        count = nil
    }

    init(_ key: LocalizedStringKey) {
        text = key.text
        self.key = key.key
        arguments = key.arguments
        count = key.count
    }
}

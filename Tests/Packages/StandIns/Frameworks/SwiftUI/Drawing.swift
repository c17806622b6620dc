/// What stands on the screen, as a tree. For tests.
public indirect enum Drawing: Sendable {
    /// What holds other drawings.
    public enum Kind: String, Sendable {
        case list, section, header, row, column, label, button, link, progress, field
        case headline, secondary, disabled
        /// What VoiceOver says of an image.
        case picture
        case sheet, alert
        /// A sheet of the system, such as the one for a refund.
        case system
    }

    case text(Sentence)
    /// The name of a symbol or of an image, or an address.
    case image(String)
    case spacer
    /// How far something is, from 0 to 1.
    case bar(Double)
    case group(Kind, [Drawing])

    /// A text, and how it is looked up in another language.
    public struct Sentence: Sendable, Equatable {
        public let text: String
        /// The key; `nil` if the text is shown as it is.
        public let key: String?
        /// The values of the key's placeholders.
        public let arguments: [Sentence]
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
}

extension Rendering {
    /// Draws what a view holds.
    func draw(_ kind: Drawing.Kind, _ contents: () -> Void) {
        let before = drawings
        drawings = []
        contents()
        drawings = before + [.group(kind, drawings)]
    }
}

public struct Text: View, Primitive {
    let sentence: ShownText
    var bundle: Bundle?
    @_disfavoredOverload
    public init(_ content: some StringProtocol) { self.init(verbatim: String(content)) }
    public init(verbatim content: String) { sentence = ShownText(text: content) }
    public init(_ key: LocalizedStringKey, bundle: Bundle? = nil) { (sentence, self.bundle) = (key.sentence, bundle) }
    public func render(into rendering: Rendering) {
        rendering.texts.append(sentence.text)
        rendering.sentences.append(sentence)
        rendering.noteKey(of: self)
    }
}

/// A text in the language of the code, and how it is looked up in another language. For tests.
public struct ShownText: Sendable, Equatable {
    public internal(set) var text: String
    /// The key; `nil` if the text is shown as it is.
    public internal(set) var key: String?
    /// The values of the key's placeholders.
    public internal(set) var arguments: [ShownText] = []
    /// The number on which the plural depends: the first one.
    public internal(set) var count: Int?
}

public struct LocalizedStringKey: ExpressibleByStringInterpolation, Equatable {
    let sentence: ShownText

    public init(_ value: String) { sentence = ShownText(text: value, key: value) }
    public init(stringLiteral value: String) { self.init(value) }
    public init(stringInterpolation: StringInterpolation) { sentence = stringInterpolation.sentence }

    public struct StringInterpolation: StringInterpolationProtocol {
        var sentence = ShownText(text: "", key: "")

        public init(literalCapacity: Int, interpolationCount: Int) {}

        public mutating func appendLiteral(_ literal: String) {
            sentence.text += literal
            sentence.key? += literal
        }

        public mutating func appendInterpolation(_ string: String) { append("%@", ShownText(text: string)) }

        public mutating func appendInterpolation(_ text: Text) { append("%@", text.sentence) }

        public mutating func appendInterpolation(_ value: Int) {
            append("%lld", ShownText(text: "\(value)"))
            sentence.count = sentence.count ?? value
        }

        private mutating func append(_ placeholder: String, _ argument: ShownText) {
            sentence.key? += placeholder
            sentence.text += argument.text
            sentence.arguments.append(argument)
        }
    }
}

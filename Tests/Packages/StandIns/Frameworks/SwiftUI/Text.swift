public struct Text: View, Primitive {
    let text: String
    var key: (key: String, bundle: Bundle?)?
    private var values: [String] = []
    @_disfavoredOverload
    public init(_ content: some StringProtocol) { text = String(content) }
    public init(verbatim content: String) { text = content }
    public init(
        _ key: LocalizedStringKey,
        tableName: String? = nil,
        bundle: Bundle? = nil,
        comment: StaticString? = nil
    ) {
        self.text = key.text
        self.key = (key.key, bundle)
        values = key.values
    }
    public func render(into rendering: Rendering) {
        rendering.texts.append(text)
        rendering.sentences.append(Rendering.Sentence(text: text, key: key?.key, values: values))
        if let key { rendering.keys.append(key) }
    }
}

/// A key as it is in a catalog, and the text in the language of the code.
public struct LocalizedStringKey: ExpressibleByStringInterpolation, Equatable {
    let key: String
    let text: String
    let values: [String]

    public init(_ value: String) { (key, text, values) = (value, value, []) }
    public init(stringLiteral value: String) { self.init(value) }
    public init(stringInterpolation: StringInterpolation) {
        (key, text, values) = (stringInterpolation.key, stringInterpolation.text, stringInterpolation.values)
    }

    public struct StringInterpolation: StringInterpolationProtocol {
        var (key, text) = ("", "")
        var values: [String] = []

        public init(literalCapacity: Int, interpolationCount: Int) {}

        public mutating func appendLiteral(_ literal: String) {
            key += literal
            text += literal
        }

        public mutating func appendInterpolation(_ string: String) {
            append("%@", string)
        }

        public mutating func appendInterpolation(_ value: Int) {
            append("%lld", "\(value)")
        }

        private mutating func append(_ placeholder: String, _ value: String) {
            key += placeholder
            text += value
            values.append(value)
        }
    }
}

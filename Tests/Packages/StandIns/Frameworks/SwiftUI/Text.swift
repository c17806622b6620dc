public struct Text: View, Primitive {
    let text: String
    var key: (key: String, bundle: Bundle?)?
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
    }
    public func render(into rendering: Rendering) {
        rendering.texts.append(text)
        if let key { rendering.keys.append(key) }
    }
}

/// A key as it is in a catalog, and the text in the language of the code.
public struct LocalizedStringKey: ExpressibleByStringInterpolation, Equatable {
    let key: String
    let text: String

    public init(_ value: String) { (key, text) = (value, value) }
    public init(stringLiteral value: String) { self.init(value) }
    public init(stringInterpolation: StringInterpolation) {
        (key, text) = (stringInterpolation.key, stringInterpolation.text)
    }

    public struct StringInterpolation: StringInterpolationProtocol {
        var (key, text) = ("", "")

        public init(literalCapacity: Int, interpolationCount: Int) {}

        public mutating func appendLiteral(_ literal: String) {
            key += literal
            text += literal
        }

        public mutating func appendInterpolation(_ string: String) {
            key += "%@"
            text += string
        }

        public mutating func appendInterpolation(_ value: Int) {
            key += "%lld"
            text += "\(value)"
        }
    }
}

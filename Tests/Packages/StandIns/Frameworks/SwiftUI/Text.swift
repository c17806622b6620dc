public struct Text: View, Primitive {
    let text: String
    var key: (key: String, bundle: Bundle?)?
    let sentence: ShownText
    @_disfavoredOverload
    public init(_ content: some StringProtocol) { self.init(verbatim: String(content)) }
    public init(verbatim content: String) {
        text = content
        sentence = ShownText(verbatim: content)
    }
    public init(
        _ key: LocalizedStringKey,
        tableName: String? = nil,
        bundle: Bundle? = nil,
        comment: StaticString? = nil
    ) {
        self.text = key.text
        sentence = ShownText(key)
        self.key = (key.key, bundle)
    }
    public func render(into rendering: Rendering) {
        rendering.texts.append(text)
        rendering.sentences.append(sentence)
        if let key { rendering.keys.append(key) }
    }
}

/// A key as it is in a catalog, and the text in the language of the code.
public struct LocalizedStringKey: ExpressibleByStringInterpolation, Equatable {
    let key: String
    let text: String
    var arguments: [ShownText] = []
    /// The first number.
    var count: Int?

    public init(_ value: String) {
        key = value
        text = value
    }
    public init(stringLiteral value: String) { self.init(value) }
    public init(stringInterpolation: StringInterpolation) {
        key = stringInterpolation.key
        text = stringInterpolation.text
        arguments = stringInterpolation.arguments
        count = stringInterpolation.count
    }

    public struct StringInterpolation: StringInterpolationProtocol {
        var (key, text) = ("", "")
        var arguments: [ShownText] = []
        var count: Int?

        public init(literalCapacity: Int, interpolationCount: Int) {}

        public mutating func appendLiteral(_ literal: String) {
            key += literal
            text += literal
        }

        public mutating func appendInterpolation(_ string: String) {
            key += "%@"
            text += string
            arguments.append(ShownText(verbatim: string))
        }

        @available(macOS 11, iOS 14, tvOS 14, watchOS 7, *)
        public mutating func appendInterpolation(_ text: Text) {
            key += "%@"
            self.text += text.text
            arguments.append(text.sentence)
        }

        public mutating func appendInterpolation(_ value: Int) {
            key += "%lld"
            text += "\(value)"
            arguments.append(ShownText(verbatim: "\(value)"))
            if count == nil { count = value }
        }
    }
}

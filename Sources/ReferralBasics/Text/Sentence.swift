/// A sentence for a log or for a person, in which text from outside can't act on the rest.
///
/// Text is interpolated as ``Swift/String/shown``, with a label that says how much of it may be shown. The compiler refuses text
/// without a label.
package struct Sentence: ExpressibleByStringInterpolation, Sendable {
    package let text: String

    package init(stringLiteral text: String) { self.text = text }

    package init(stringInterpolation: StringInterpolation) { text = stringInterpolation.text }

    package struct StringInterpolation: StringInterpolationProtocol {
        fileprivate var text = ""

        package init(literalCapacity: Int, interpolationCount: Int) {}

        package mutating func appendLiteral(_ literal: String) { text += literal }

        package mutating func appendInterpolation(_ number: some BinaryInteger) { text += String(number) }

        package mutating func appendInterpolation(_ number: Double) { text += String(number) }

        package mutating func appendInterpolation(_ sentence: Sentence) { text += sentence.text }

        /// Appends a name or a value.
        package mutating func appendInterpolation(name: String) { text += name.shown }

        /// Appends an explanation, such as the system's own.
        package mutating func appendInterpolation(reason: String) { text += reason.shown(upTo: 400) }
    }

    package static func + (left: Self, right: Self) -> Self { "\(left)\(right)" }
}

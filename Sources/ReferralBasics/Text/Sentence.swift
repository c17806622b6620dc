/// A sentence for a log or for a person, in which text from outside can't act on the rest.
///
/// Text is interpolated as ``Swift/String/shown``, with a label that says how much of it may be shown. The compiler refuses text
/// without a label.
package struct Sentence: ExpressibleByStringInterpolation, Hashable, Sendable {
    package let text: String

    package var isEmpty: Bool { text.isEmpty }

    package init(stringLiteral text: String) { self.text = text }

    package init(stringInterpolation: StringInterpolation) { text = stringInterpolation.text }

    package struct StringInterpolation: StringInterpolationProtocol {
        fileprivate var text = ""

        package init(literalCapacity: Int, interpolationCount: Int) {}

        package mutating func appendLiteral(_ literal: String) { text += literal }

        package mutating func appendInterpolation(_ number: some Numeric & CustomStringConvertible) {
            text += number.description
        }

        package mutating func appendInterpolation(_ app: AppID) { text += app.description }

        package mutating func appendInterpolation(_ sentence: Sentence) { text += sentence.text }

        /// Appends a name or a value.
        package mutating func appendInterpolation(name: some StringProtocol) { text += String(name).shown }

        /// Appends a name or a value between quotation marks.
        package mutating func appendInterpolation(quoted name: some StringProtocol) { text += String(name).quoted }

        /// Appends the whole of a text that somebody has to copy, such as the path of a file.
        package mutating func appendInterpolation(whole text: String) { self.text += text.shown(upTo: .max) }

        /// Appends an explanation, such as the system's own.
        package mutating func appendInterpolation(reason: some CustomStringConvertible) {
            text += reason.description.shown(upTo: 400)
        }
    }

    package static func + (left: Self, right: Self) -> Self { "\(left)\(right)" }

    package static func += (left: inout Self, right: Self) { left = left + right }
}

extension Sequence<Sentence> {
    package func joined(separator: Sentence = "") -> Sentence {
        reduce(nil) { sum, next in sum.map { $0 + separator + next } ?? next } ?? ""
    }
}

extension DefaultStringInterpolation {
    /// Otherwise Swift would print the type. If this were unavailable, Swift would still do that; a warning fails the tests.
    @available(*, deprecated, message: "interpolate the sentence's text")
    package mutating func appendInterpolation(_ sentence: Sentence) { appendLiteral(sentence.text) }
}

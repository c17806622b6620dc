/// The JavaScript that puts a referral link on the clipboard when somebody taps a link on a web page.
///
/// It is `web/referral-bridge.min.js`, byte for byte, in the format that a page needs. Compressed with gzip, it has at
/// most 1,024 bytes. `referral-tool snippet` prints the readable one too.
///
/// ```swift
/// let element = CopySnippet(format: .html(nonce: nil)).source
/// ```
public struct CopySnippet: Sendable, Equatable {
    /// The form in which the snippet goes into a page.
    public enum Format: Sendable, Equatable {
        /// A plain script, for a file that a page loads with `<script src="…">`.
        case script

        /// An ES module that exports the snippet's functions.
        case module

        /// A `<script>` element to paste into an HTML or XHTML page.
        ///
        /// The nonce is one that the page's `Content-Security-Policy` names.
        case html(nonce: Nonce?)
    }

    /// A nonce of a `Content-Security-Policy`: letters, digits and `+ / - _`, followed by at most two `=`.
    public struct Nonce: Sendable, Equatable {
        /// The nonce as the policy contains it.
        public let text: String

        /// Creates a nonce; `nil` if a policy can't contain the text.
        public init?(_ text: String) {
            let digits = text.utf8.prefix { ASCII.isAlphanumeric($0) || "+/-_".utf8.contains($0) }
            guard !digits.isEmpty, ["", "=", "=="].contains(text[digits.endIndex...]) else { return nil }
            self.text = text
        }
    }

    /// The form in which the snippet goes into a page.
    public var format: Format

    /// Creates the snippet in a format.
    public init(format: Format = .script) { self.format = format }

    /// The snippet's text, with a line break at its end.
    @_alwaysEmitIntoClient
    public var source: String { formatted(Self.script) }

    /// A script in this format. It contains no text that would end or change the element.
    @usableFromInline
    package func formatted(_ script: String) -> String {
        switch format {
        case .script:
            return script
        case .module:
            return script + "export const { payload, link, copy } = globalThis.ReferralBridge;\n"
        case .html(let nonce):
            let attribute = nonce.map { " nonce=\"\($0.text)\"" } ?? ""
            // XHTML needs the section marks. To JavaScript, they are comments.
            return "<script\(attribute)>\n//<![CDATA[\n\(script)//]]>\n</script>\n"
        }
    }
}

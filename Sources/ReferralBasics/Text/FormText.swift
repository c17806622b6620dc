/// Text as forms and query items encode it (WHATWG URL, application/x-www-form-urlencoded).
package enum FormText {
    /// Decodes a name or a value.
    package static func decode(_ text: some Sequence<UInt8>, plusIsSpace: Bool = true) -> String {
        plusIsSpace ? PercentEncoding.decodeForm(text) : PercentEncoding.decode(text)
    }
}

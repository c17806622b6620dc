import ReferralBridge

extension InviteCode {
    /// Reads a code, or the address of an invitation that names one.
    ///
    /// - Parameters:
    ///   - text: The text that a person typed or pasted.
    ///   - referrerItem: The name of the query item with the code.
    /// - Throws: ``InviteCodeError``.
    public init(pasting text: String, referrerItem: String = "ref") throws(InviteCodeError) {
        try self.init(Self.referrer(in: text, item: referrerItem) ?? text)
    }

    /// The first item of an address with that name; `nil` if the text isn't an address with one.
    package static func referrer(in text: String, item: String) -> String? {
        let address = WebAddress(text)
        guard address.authority != nil, let query = address.query else { return nil }
        for pair in query.utf8.split(separator: ASCII.ampersand) {
            let parts = pair.split(separator: ASCII.equals, maxSplits: 1, omittingEmptySubsequences: false)
            if FormText.decode(parts[0]).utf8.elementsEqual(item.utf8) {
                return parts.count == 2 ? FormText.decode(parts[1]) : nil
            }
        }
        return nil
    }
}

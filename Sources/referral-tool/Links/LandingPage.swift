import ReferralBridge

/// A page of one's own that serves every inviter: it takes the referrer from its address, `?ref=NAME`.
struct LandingPage: Sendable {
    /// What stands in front of the referrer, and behind it.
    let head: String
    let tail: String

    /// A landing page.
    ///
    /// The item goes behind the address's own and before its fragment; one of the same name is dropped.
    ///
    /// - Parameters:
    ///   - address: The page's address; its own query and fragment stay.
    ///   - item: The name of the query item for the referrer.
    init?(address: String, item: String) {
        guard !address.unicodeScalars.contains(where: { $0.isObeyed || $0 == " " }), !item.isEmpty,
            let scheme = ["https://", "http://"].first(where: { address.lowercased().hasPrefix($0) })
        else { return nil }
        let host = address.utf8.dropFirst(scheme.utf8.count).first
        guard let host, !"/?#:@".utf8.contains(host) else { return nil }

        let item = PercentEncoding.encode(item)
        let fragment = address.utf8.firstIndex(of: UInt8(ascii: "#")) ?? address.endIndex
        let query = address.utf8[..<fragment].firstIndex(of: UInt8(ascii: "?")) ?? fragment
        let items = address.utf8[query..<fragment].dropFirst().split(separator: UInt8(ascii: "&"))
            .filter { !$0.starts(with: (item + "=").utf8) && !$0.elementsEqual(item.utf8) }
            .compactMap { String($0) }
        head = address[..<query] + "?" + (items + [item + "="]).joined(separator: "&")
        tail = String(address[fragment...])
    }

    func address(for referrer: String) -> String { head + PercentEncoding.encode(referrer) + tail }
}

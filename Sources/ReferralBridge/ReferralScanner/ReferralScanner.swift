/// Finds the referral in a list of strings, such as a pasteboard holds.
///
/// ```swift
/// let scanner = ReferralScanner(appID: 1300230302)
/// let result = scanner.scan(strings, now: .now)
/// result.found?.referrer  // "spring-newsletter"
/// result.verdicts         // [.notALink, .expired, .found]
/// ```
///
/// One string never hides another: a broken link in front does not stop the scan.
public struct ReferralScanner: Sendable, Hashable {
    /// The app whose referrals are looked for.
    public var appID: AppID

    /// How long a tap counts.
    public var window: AttributionWindow

    /// Hosts besides the App Store's whose addresses may carry a referral, such as `example.com`; compared in any case,
    /// and without their subdomains.
    public var additionalHosts: [String]

    /// A scanner for an app.
    public init(appID: AppID, window: AttributionWindow = .standard, additionalHosts: [String] = []) {
        self.appID = appID
        self.window = window
        self.additionalHosts = additionalHosts
    }

    /// Judges every string and finds the newest tap that passes.
    ///
    /// For a string that does not begin as a link nothing is allocated, and however long it is only its beginning is
    /// looked at.
    ///
    /// - Parameters:
    ///   - strings: Any strings, in any number.
    ///   - now: The present moment, on the clock that the taps were stamped with.
    ///   - reported: The newest tap that was reported before.
    /// - Returns: What was found, and a judgement on every string.
    public func scan(
        _ strings: some Sequence<String>,
        now: Timestamp = .now,
        reported: Timestamp? = nil
    ) -> ScanResult {
        var result = ScanResult()
        let isArray: Void? = strings.withContiguousStorageIfAvailable { strings in
            // Its own storage: to go through a sequence of any kind would cost more than looking at most strings does.
            for index in strings.indices {
                look(at: strings[index], now: now, reported: reported, into: &result)
            }
        }
        if isArray == nil {
            for string in strings { look(at: string, now: now, reported: reported, into: &result) }
        }
        return result
    }

    private func look(at string: String, now: Timestamp, reported: Timestamp?, into result: inout ScanResult) {
        if StoreAddress.begins(string) {
            result.append(judge(string, now: now, reported: reported))
        } else {
            result.appendUnlikeALink()
        }
    }

    /// Judges one string by itself; one that passes is ``Verdict/found``.
    ///
    /// - Parameters:
    ///   - string: Any string.
    ///   - now: The present moment, on the clock that the tap was stamped with.
    ///   - reported: The newest tap that was reported before.
    /// - Returns: The verdict, and what it rests on.
    public func judge(_ string: String, now: Timestamp = .now, reported: Timestamp? = nil) -> Judgement {
        judge(now: now, reported: reported) { () throws(ReferralLinkError) in
            try ReferralLink(parsing: string, for: appID, additionalHosts: additionalHosts)
        }
    }

    /// Judges an address that the system opened the app with, from its item `ed` on: that it is for this app the system
    /// knows best.
    ///
    /// - Parameters:
    ///   - address: An address of any scheme and host.
    ///   - now: The present moment, on the clock that the tap was stamped with.
    ///   - reported: The newest tap that was reported before.
    /// - Returns: The verdict, and what it rests on.
    public func judge(opened address: String, now: Timestamp = .now, reported: Timestamp? = nil) -> Judgement {
        judge(now: now, reported: reported) { () throws(ReferralLinkError) in try ReferralLink(opened: address) }
    }

    private func judge(
        now: Timestamp,
        reported: Timestamp?,
        _ link: () throws(ReferralLinkError) -> ReferralLink
    ) -> Judgement {
        do {
            return Judgement(try link(), now: now, reported: reported, window: window)
        } catch {
            return Judgement(error)
        }
    }
}

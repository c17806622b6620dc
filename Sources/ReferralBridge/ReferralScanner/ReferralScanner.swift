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
    public func scan(
        _ strings: some Sequence<String>,
        now: Timestamp = .now,
        reported: Timestamp? = nil
    ) -> ScanResult {
        var result = ScanResult()
        func look(at string: String) {
            if StoreAddress.begins(string) {
                result.append(judge(string, now: now, reported: reported))
            } else {
                result.appendUnlikeALink()
            }
        }
        // An array's own storage: going through its iterator would cost more than most strings do.
        if strings.withContiguousStorageIfAvailable({ $0.forEach(look) }) == nil {
            strings.forEach(look)
        }
        return result
    }

    /// Judges one string by itself; one that passes is ``Verdict/found``.
    ///
    /// - Parameters:
    ///   - string: Any string.
    ///   - now: The present moment, on the clock that the tap was stamped with.
    ///   - reported: The newest tap that was reported before.
    public func judge(_ string: String, now: Timestamp = .now, reported: Timestamp? = nil) -> Judgement {
        do {
            let link = try ReferralLink(parsing: string, for: appID, additionalHosts: additionalHosts)
            return Judgement(link, now: now, reported: reported, window: window)
        } catch {
            return Judgement(error)
        }
    }
}

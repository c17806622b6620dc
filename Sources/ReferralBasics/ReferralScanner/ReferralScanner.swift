/// Finds the referral in a list of strings, such as the contents of a pasteboard.
///
/// ```swift
/// let scanner = ReferralScanner(appID: 1300230302)
/// let result = scanner.scan(strings, now: .now)
/// result.referral?.referrer  // "spring-newsletter"
/// result.verdicts            // [.notALink, .expired, .found]
/// ```
///
/// Each string is judged by itself: an invalid link doesn't hide a valid one after it.
public struct ReferralScanner: Sendable {
    /// The app for which the scanner finds referrals.
    public var appID: AppID

    /// The time that a tap counts.
    public var window: AttributionWindow

    /// Hosts besides the App Store's whose addresses may carry a referral, such as `example.com`. Letter case doesn't
    /// matter. A subdomain is a different host.
    public var additionalHosts: [String]

    /// The pages of the website that name the referrer in their address. They count if their address opens the app, or if the
    /// user pastes it.
    public var landingPages: [LandingPage] = []

    /// The public keys of the signers whose links count. If there are none, all links count.
    public let signers: [PublicKey]

    private let verifier: any SignatureVerifier

    /// Creates a scanner for an app. With signers, it accepts only signed links, so that nobody else can invent a referrer or a
    /// parameter.
    ///
    /// ```swift
    /// let key: PublicKey = "nCNWIVc22bR7mbMg+VAMokGuHQtjgw7v3DH5Inwk1Go="
    /// let scanner = ReferralScanner(appID: 1300230302, signers: [key])
    /// ```
    ///
    /// - Parameters:
    ///   - appID: The app. A link that was signed for another app doesn't count.
    ///   - window: The time that a tap counts. Without a limit, a forged tap time can avoid the end of a campaign.
    ///   - additionalHosts: Hosts besides the App Store's whose addresses may carry a referral.
    ///   - signers: The signers' public keys. A link counts if one of them signed it. If there are none, all links
    ///     count.
    ///   - verifier: Checks the signatures.
    /// - Precondition: If there are signers on a platform other than Apple's, another verifier is passed, since such a system has none.
    public init(
        appID: AppID,
        window: AttributionWindow = .standard,
        additionalHosts: [String] = [],
        signers: [PublicKey] = [],
        verifier: any SignatureVerifier = SystemVerifier()
    ) {
        self.appID = appID
        self.window = window
        self.additionalHosts = additionalHosts
        let isAvailable = SystemVerifier.isAvailable || !(verifier is SystemVerifier)
        precondition(signers.isEmpty || isAvailable, "Without CryptoKit, pass a SignatureVerifier.")
        self.signers = signers
        self.verifier = verifier
    }

    /// Judges every string, and finds the newest tap that counts. If a string doesn't start like a link, only its start is read.
    ///
    /// - Parameters:
    ///   - strings: Any number of strings.
    ///   - now: The current time, on the clock that stamped the taps.
    ///   - lastReported: The newest tap that was reported before. Taps up to this one count as reported.
    /// - Returns: The referral, if there is one, and a judgment on every string.
    public func scan(
        _ strings: some Sequence<String>,
        now: Timestamp = .now,
        lastReported: Timestamp? = nil
    ) -> ScanResult {
        scan(strings, now: now, reported: ReportedTaps(last: lastReported))
    }

    /// Judges one string by itself. If its tap counts, the verdict is ``Verdict/found``.
    ///
    /// - Parameters:
    ///   - string: Any string.
    ///   - road: How it came. An address that opened the app is for this app already, so it may have any scheme and host: its item
    ///     `ed` counts, or else it may be the address of one of the ``landingPages``. So may a text that the user pasted, even with
    ///     words around it. On the pasteboard, a landing page's address doesn't count: nobody knows when it was copied.
    ///   - now: The current time, on the clock that stamped the tap.
    ///   - lastReported: The newest tap that was reported before. Taps up to this one count as reported.
    /// - Returns: The verdict, and the facts behind it.
    public func judge(
        _ string: String,
        on road: Road = .pasteboard,
        now: Timestamp = .now,
        lastReported: Timestamp? = nil
    ) -> Judgment {
        judge(string, on: road, now: now, reported: ReportedTaps(last: lastReported))
    }
}

extension ReferralScanner {
    package func scan(
        _ strings: some Sequence<String>,
        now: Timestamp,
        reported: ReportedTaps,
        road: Road = .pasteboard
    ) -> ScanResult {
        ScanResult(strings.map { judge($0, on: road, now: now, reported: reported) })
    }

    package func judge(_ string: String, on road: Road, now: Timestamp, reported: ReportedTaps) -> Judgment {
        switch road {
        case .pasteButton, .typed: judge(pasted: string, road, now, reported)
        case .opened, .appClip: judge(whole: string, road, now, reported)
        case .pasteboard:
            // For most text, the first byte shows that it isn't an address.
            string.utf8.first.map(StoreAddress.canBegin) == true
                ? judge(whole: string, road, now, reported) : Judgment(.invalidAddress(.unsupportedScheme))
        }
    }

    /// Judges a string of the pasteboard as ``judge(_:on:now:lastReported:)`` does without signers, but makes no texts of it: it passes
    /// the verdict and the payload to a function.
    ///
    /// - Throws: The rule that the string violates.
    package func judge(
        bytes: Bytes,
        now: Timestamp,
        lastReported: Timestamp?,
        _ body: (Verdict, Payload) -> Void
    ) throws(ReferralLinkError) {
        guard bytes.isUTF8 else { throw .invalidAddress(.unsupportedScheme) }
        let (address, _) = try ReferralLink.address(bytes, for: appID, additionalHosts: additionalHosts)
        let value = try ReferralLink.encodedPayload(in: address.items)
        do throws(ReferralError) {
            // Without the list, the function would contain a copy of the scanner.
            try Payload.read(encoded: value) { [window] payload, _ in
                let taps = ReportedTaps(last: lastReported)
                body(window.verdict(on: payload.timestamp, now: now, reported: taps), payload)
            }
        } catch {
            throw .invalidPayload(error)
        }
    }

    /// Judges the text that Google Play passes to an app on Android: the items of a query. White space around it doesn't matter.
    package func judge(playText text: String, now: Timestamp, lastReported: Timestamp?) -> Judgment {
        let (items, reported) = (text[...].trimmingWhiteSpace, ReportedTaps(last: lastReported))
        do throws(ReferralLinkError) {
            let link = try ReferralLink(opened: String(items), query: items)
            return judgment(on: (link.referral, link.referral.destination, []), link, .opened, now, reported)
        } catch {
            return Judgment(error)
        }
    }

    /// Judges a text that the user pasted: the first address in it that counts, or else the first one with a referral, or of a store.
    private func judge(pasted text: String, _ road: Road, _ now: Timestamp, _ reported: ReportedTaps) -> Judgment {
        text.withUTF8Bytes { bytes in
            var (first, store): (Judgment?, Judgment?)
            let search = AddressSearch(bytes, findsWords: !landingPages.isEmpty)
            for range in search {
                var address = String(decoding: bytes[range], as: UTF8.self)
                if WebAddress(address).authority == nil {
                    address = "https://" + address
                    guard page(of: address, road, .missingPayload) != nil else { continue }
                }
                var judgment = judge(whole: address, road, now, reported)
                let isOwn = judgment.verdict != .notALink && judgment.verdict != .wrongApp
                if isOwn, search.isCut(range) { judgment = Judgment(.cutAddress) }
                if judgment.verdict == .found { return judgment }
                if judgment.arrival != nil { first = first ?? judgment }
                if judgment.verdict != .notALink { store = store ?? judgment }
            }
            // An address has no white space, except for a payload's plus signs that a form has turned into spaces.
            let whole = judge(whole: text, road, now, reported)
            return first ?? (whole.link == nil ? store : nil) ?? whole
        }
    }

    private func judge(whole string: String, _ road: Road, _ now: Timestamp, _ reported: ReportedTaps) -> Judgment {
        do throws(ReferralLinkError) {
            let link =
                road.hasOpenedApp
                ? try ReferralLink(opened: string, query: WebAddress(string).query ?? "")
                : try ReferralLink(string, for: appID, additionalHosts: additionalHosts)
            return judgment(on: (link.referral, link.referral.destination, []), link, road, now, reported)
        } catch {
            guard let page = page(of: string, road, error) else { return Judgment(error) }
            do throws(ReferralLinkError) {
                return judgment(on: try page.read(WebAddress(string), at: now), nil, road, now, reported)
            } catch {
                return Judgment(error)
            }
        }
    }

    /// Judges what a link says, or, without one, the address of a landing page, to which the window doesn't apply.
    private func judgment(
        on found: LandingPage.Reading,
        _ link: ReferralLink?,
        _ road: Road,
        _ now: Timestamp,
        _ reported: ReportedTaps
    ) -> Judgment {
        let failure = signers.isEmpty ? nil : verdict(onSignatureOf: found.referral)
        let isSigned = !signers.isEmpty && failure == nil
        let arrival = Arrival(found.referral, road: road, isSigned: isSigned, destination: found.destination)
        let window = link == nil ? nil : window
        return Judgment(
            verdict: failure ?? window?.verdict(on: arrival.timestamp, now: now, reported: reported) ?? .found,
            arrival: arrival,
            link: link,
            ageMilliseconds: now.milliseconds - arrival.timestamp.milliseconds,
            window: window,
            ignored: found.ignored
        )
    }

    /// The verdict on a tap that doesn't count; `nil` if a signer issued the claims and the campaign hasn't ended.
    private func verdict(onSignatureOf referral: Referral) -> Verdict? {
        guard let text = referral.claims[Referral.signatureName], !text.isEmpty else { return .notSigned }
        let until = referral.claims[Referral.endName]
        let end = until.flatMap(Referral.campaignEnd)
        guard let signature = Referral.signature(text), until == nil || end != nil else { return .wrongSignature }
        let message = referral.claims.message(for: appID)
        guard signers.contains(where: { verifier.isValid(signature, for: message, publicKey: $0) }) else {
            return .wrongSignature
        }
        // A `Double` would round an end of 16 digits.
        return end.map { Int64(referral.timestamp.milliseconds) >= $0 } == true ? .campaignOver : nil
    }

    /// The landing page whose address a string is that isn't a link, for this reason; `nil` if another rule has decided.
    private func page(of string: String, _ road: Road, _ error: ReferralLinkError) -> LandingPage? {
        let mayBePage: [Verdict] = road.hasOpenedApp ? [.noPayload] : [.notALink, .wrongApp, .noPayload]
        guard !landingPages.isEmpty, road.hasOpenedApp || string.utf8.allSatisfy(AddressSearch.isAllowed),
            road != .pasteboard, mayBePage.contains(error.verdict), string.utf8.count <= StoreAddress.maximumLength
        else { return nil }
        let address = WebAddress(string)
        return address.hasPayload ? nil : landingPages.first { $0.matches(address) }
    }
}

extension ReferralScanner: Equatable {
    /// Whether two scanners are for the same app, window, hosts, pages and signers. Verifiers can't be compared.
    public static func == (left: Self, right: Self) -> Bool {
        left.appID == right.appID && left.window == right.window && left.additionalHosts == right.additionalHosts
            && left.landingPages == right.landingPages && left.signers == right.signers
    }
}

private extension Road {
    var hasOpenedApp: Bool { self == .opened || self == .appClip }
}

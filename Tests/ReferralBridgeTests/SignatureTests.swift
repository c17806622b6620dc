import Foundation
import ReferralBridge
import ReferralSigning
import Testing

/// What a scanner with signers makes of links; the vectors say the rules.
struct SignatureTests {
    private let now = Timestamp(milliseconds: 1_795_224_750_690)
    private let appID: AppID = 1_300_230_302
    private let key: PrivateKey

    init() throws {
        key = try PrivateKey((0..<32).map { UInt8($0) })
    }

    private func scanner(_ signers: [PublicKey]) throws -> ReferralScanner {
        try ReferralScanner(appID: appID, signers: signers, verifier: makeVerifier())
    }

    /// The claims of a link as text, with a place for the time, and its signature.
    private func signed(until: String? = "1795224800000") throws -> (referral: Referral, signature: Data) {
        var parameters = ["pack": "gold"]
        parameters["until"] = until
        let referral = try Referral(referrer: "anna", timestamp: now, parameters: parameters)
        return (referral, try key.signature(for: referral.claims.message(for: appID)))
    }

    private func link(_ payload: String) -> String {
        "https://apps.apple.com/app/id1300230302?ed=\(Self.base64URL(Data(payload.utf8)))"
    }

    private static func base64URL(_ data: Data) -> String {
        data.base64EncodedString().replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
    }

    private func payload(_ referral: Referral, _ signature: Data) -> String {
        referral.payload.dropLast() + ",\"sig\":\"\(Self.base64URL(signature))\"}"
    }

    @Test("with one bit changed, in the signature or in the claims, nothing is found")
    func flippedBits() throws {
        let scanner = try scanner([key.publicKey])
        let (referral, signature) = try signed()
        #expect(scanner.judge(link(payload(referral, signature)), now: now).verdict == .found)

        for bit in 0..<(signature.count * 8) {
            var wrong = signature
            wrong[bit / 8] ^= 1 << (bit % 8)
            #expect(scanner.judge(link(payload(referral, wrong)), now: now).verdict == .wrongSignature, "bit \(bit)")
        }

        // The claims begin after the time, which isn't signed.
        let whole = Data(payload(referral, signature).utf8)
        let claims = try #require(whole.range(of: Data("\"referrer\"".utf8))).lowerBound..<whole.count
        var verdicts: Set<Verdict> = []
        for bit in claims.lowerBound * 8..<claims.upperBound * 8 {
            var wrong = whole
            wrong[bit / 8] ^= 1 << (bit % 8)
            let address = "https://apps.apple.com/app/id1300230302?ed=\(Self.base64URL(wrong))"
            let verdict = scanner.judge(address, now: now).verdict
            #expect(verdict != .found, "bit \(bit)")
            verdicts.insert(verdict)
        }
        #expect(verdicts == [.malformedPayload, .notSigned, .wrongSignature])
    }

    @Test("an address that opened the app is judged in the same way")
    func opened() throws {
        let scanner = try scanner([key.publicKey])
        let (referral, signature) = try signed()
        let item = try #require(link(payload(referral, signature)).split(separator: "?").last)
        #expect(scanner.judge("trestle://start?\(item)", on: .opened, now: now).verdict == .found)
        let unsigned = try #require(link(referral.payload).split(separator: "?").last)
        #expect(scanner.judge("trestle://start?\(unsigned)", on: .opened, now: now).verdict == .notSigned)
    }

    @Test("an end that no double holds is compared exactly")
    func exactEnd() throws {
        let (referral, signature) = try signed(until: "9007199254740993")
        let scanner = try scanner([key.publicKey])
        for (tap, verdict) in [("9007199254740992", Verdict.found), ("9007199254740994", .campaignOver)] {
            let payload = payload(referral, signature).replacing("1795224750690", with: tap)
            let now = Timestamp(milliseconds: 9_007_199_254_740_994)
            #expect(scanner.judge(link(payload), now: now).verdict == verdict)
        }
    }

    @Test("a referral is signed only if a scanner with signers found it")
    func isSigned() throws {
        let (referral, signature) = try signed()
        let string = link(payload(referral, signature))
        #expect(ReferralScanner(appID: appID).judge(string, now: now).arrival?.isSigned == false)
        let scanner = try scanner([key.publicKey])
        #expect(scanner.judge(string, now: now).arrival?.isSigned == true)
        // The signature is right, but the campaign is over.
        let late = payload(referral, signature).replacing("1795224750690", with: "1795224800000")
        let judgment = scanner.judge(link(late), now: now)
        #expect(judgment.verdict == .campaignOver)
        #expect(judgment.arrival?.isSigned == false)
    }

    @Test("two scanners with the same signers are equal")
    func equality() throws {
        #expect(ReferralScanner(appID: appID, signers: []) == ReferralScanner(appID: appID))
        #expect(try scanner([key.publicKey]) == scanner([key.publicKey]))
        #expect(try scanner([key.publicKey]) != scanner(["BwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwc="]))
        #expect(try scanner([key.publicKey]) != ReferralScanner(appID: appID))
    }

    @Test("the reasons say what is wrong, with nothing of the link in them")
    func reasons() throws {
        let scanner = try scanner([key.publicKey])
        let (referral, signature) = try signed()
        let late = payload(referral, signature).replacing("1795224750690", with: "1795224800000")
        let reasons = [referral.payload, payload(referral, Data(count: 64)), late].map {
            scanner.judge(link($0), now: now).description
        }
        #expect(
            reasons == [
                "notSigned: The referral is not signed: it has no sig, or an empty one.",
                "wrongSignature: No signer made the signature (sig) for this app, referrer and parameters, or sig or until "
                    + "is malformed.",
                "campaignOver: The tap came at or after the end of its campaign (until).",
            ]
        )
    }

}

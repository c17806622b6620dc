import ReferralBridge
import Testing

/// The rules as data. A case's name says what it is about.
struct VectorTests {
    @Test("reading and judging", arguments: try Vectors.read("decode", as: DecodeVectors.self).cases)
    func decode(_ vector: DecodeVectors.Case) throws {
        let scanner = ReferralScanner(
            appID: try #require(AppID(vector.appID)),
            window: vector.windowMilliseconds.map { AttributionWindow(duration: $0 / 1_000) } ?? .standard,
            additionalHosts: vector.additionalHosts ?? []
        )
        let result = scanner.scan(
            vector.strings,
            now: Timestamp(milliseconds: vector.now),
            lastReported: vector.reportedTimestamp.map(Timestamp.init(milliseconds:))
        )
        #expect(result.verdicts.map(\.rawValue) == vector.verdicts)
        #expect(result.referralIndex == vector.found?.index)
        #expect(result.referral?.referrer == vector.found?.referrer)
        #expect(result.referral?.timestamp.milliseconds == vector.found?.timestamp)
        #expect(result.referral?.parameters == vector.found?.parameters)
    }

    @Test("writing a payload", arguments: try Vectors.read("encode", as: EncodeVectors.self).encode)
    func encode(_ vector: EncodeVectors.Payload) throws {
        let referral = try Referral(
            referrer: vector.referrer,
            timestamp: Timestamp(milliseconds: vector.timestamp),
            parameters: vector.parameters
        )
        #expect(referral.payload == vector.json)

        let link = try ReferralLink(page: StorePage(appID: 1), referral: referral)
        #expect(link.address == "https://apps.apple.com/app/id1?ed=" + vector.ed)
        #expect(try ReferralLink(parsing: link.address).referral == referral)
    }

    @Test("putting ed on a page", arguments: try Vectors.read("encode", as: EncodeVectors.self).stamp)
    func stamp(_ vector: EncodeVectors.Stamp) throws {
        let referral = try Referral(referrer: "x", timestamp: Timestamp(milliseconds: 1_795_224_750_690))
        let ed = "eyJ0aW1lc3RhbXAiOjE3OTUyMjQ3NTA2OTAsInJlZmVycmVyIjoieCJ9"
        let link = try ReferralLink(page: StorePage(parsing: vector.page), referral: referral)
        #expect(link.address == vector.link.replacing("ed=\(vector.ed)", with: "ed=\(ed)"))
    }
}

import Foundation
import ReferralBridge
import ReferralSigning
import TestSupport
import Testing

/// The rules as data. A case's name says what it is about.
struct VectorTests {
    @Test("reading and judging", arguments: try readVectors("decode", as: DecodeVectors.self).cases)
    func decode(_ vector: DecodeVectors.Case) throws { try judge(vector) }

    @Test("judging signatures", arguments: try readVectors("signing", as: SigningVectors.self).judge)
    func signature(_ vector: DecodeVectors.Case) throws { try judge(vector) }

    private func judge(_ vector: DecodeVectors.Case) throws {
        let scanner = try ReferralScanner(
            appID: try #require(AppID(vector.appID)),
            window: vector.windowMilliseconds.map { AttributionWindow(duration: $0 / 1_000) } ?? .standard,
            additionalHosts: vector.additionalHosts ?? [],
            signers: try (vector.signers ?? []).map { try #require(PublicKey($0)) },
            verifier: makeVerifier()
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
        #expect(result.judgments.allSatisfy { $0.arrival?.isSigned != true || scanner.signers != [] })
        #expect(result.arrival?.isSigned == vector.found.map { _ in scanner.signers != [] })
    }

    @Test("the message that is signed", arguments: try readVectors("signing", as: SigningVectors.self).sign)
    func sign(_ vector: SigningVectors.Signature) throws {
        var parameters = vector.parameters
        parameters["until"] = vector.until.map { String($0) }
        let appID = try #require(AppID(vector.appID))
        let message = try Referral(referrer: vector.referrer, parameters: parameters).claims.message(for: appID)
        #expect(String(decoding: message, as: UTF8.self) == vector.message)

        let keys = try readVectors("signing", as: SigningVectors.self).keys
        let key = try #require(keys.first { $0.name == vector.privateKey })
        let privateKey = try PrivateKey(PrivateKeyFile.bytes(in: Array(key.privatePEM.utf8)))
        #expect(privateKey.publicKey == PublicKey(key.publicKey))
        #if !canImport(CryptoKit)
        // CryptoKit signs with a random part.
        #expect(try Data(privateKey.signature(for: message)) == Referral.signature(vector.sig))
        #endif
        // A referral that is signed has the same message.
        parameters["sig"] = vector.sig
        let signed = try Referral(referrer: vector.referrer, parameters: parameters)
        #expect(signed.claims.message(for: appID) == message)
    }

    @Test("writing a payload", arguments: try readVectors("encode", as: EncodeVectors.self).encode)
    func encode(_ vector: EncodeVectors.Payload) throws {
        let referral = try Referral(
            referrer: vector.referrer,
            timestamp: Timestamp(milliseconds: vector.timestamp),
            parameters: vector.parameters
        )
        #expect(referral.payload == vector.json)

        let link = try ReferralLink(page: StorePage(appID: 1), referral: referral)
        #expect(link.address == "https://apps.apple.com/app/id1?ed=" + vector.ed)
        #expect(try ReferralLink(link.address).referral == referral)
    }

    @Test("putting ed on a page", arguments: try readVectors("encode", as: EncodeVectors.self).stamp)
    func stamp(_ vector: EncodeVectors.Stamp) throws {
        let referral = try Referral(referrer: "x", timestamp: Timestamp(milliseconds: 1_795_224_750_690))
        let ed = "eyJ0aW1lc3RhbXAiOjE3OTUyMjQ3NTA2OTAsInJlZmVycmVyIjoieCJ9"
        let link = try ReferralLink(page: StorePage(vector.page), referral: referral)
        #expect(link.address == vector.link.replacing("ed=\(vector.ed)", with: "ed=\(ed)"))
    }
}

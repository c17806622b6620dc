import Foundation
import Testing

/// The rules as data, which the web side's tests read too.
struct DecodeVectors: Decodable {
    struct Case: Decodable, Sendable, CustomTestStringConvertible {
        struct Found: Decodable {
            let index: Int
            let referrer: String
            let timestamp: Double
            let parameters: [String: String]
        }

        let name: String
        let appID: String
        let now: Double
        let additionalHosts: [String]?
        let reportedTimestamp: Double?
        let windowMilliseconds: Double?
        /// Public keys in base64, in the cases of signatures.
        let signers: [String]?
        let strings: [String]
        let verdicts: [String]
        let found: Found?

        var testDescription: String { name }
    }

    let cases: [Case]
}

struct EncodeVectors: Decodable {
    struct Payload: Decodable, Sendable, CustomTestStringConvertible {
        let timestamp: Double
        let referrer: String
        let parameters: [String: String]
        let json: String
        let ed: String

        var testDescription: String { json }
    }

    struct Stamp: Decodable, Sendable, CustomTestStringConvertible {
        let page: String
        let ed: String
        let link: String

        var testDescription: String { page }
    }

    let encode: [Payload]
    let stamp: [Stamp]
}

struct SigningVectors: Decodable {
    struct Key: Decodable {
        let name: String
        let publicKey: String
        let privatePEM: String

        private enum CodingKeys: String, CodingKey {
            case name, privatePEM
            case publicKey = "public"
        }
    }

    struct Signature: Decodable, Sendable, CustomTestStringConvertible {
        let name, appID, referrer, privateKey, message, sig: String
        let parameters: [String: String]
        let until: Int?

        var testDescription: String { name }
    }

    let keys: [Key]
    let sign: [Signature]
    let judge: [DecodeVectors.Case]
    /// Points for which anybody can sign, in base64.
    let smallOrder: [String]?
}

import Foundation
import Testing

/// The rules as data: `Tests/Vectors/`, which the web side's tests read too.
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

enum Vectors {
    static func read<Value: Decodable>(_ name: String, as type: Value.Type) throws -> Value {
        let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        let file = folder.appending(path: "Vectors/\(name).json")
        return try JSONDecoder().decode(type, from: Data(contentsOf: file))
    }
}

import Foundation
import TestSupport

@testable import DataHandoff

/// The rules of the design as data, judged by an independent reference.
struct HandoffVectors: Decodable {
    struct Package: Decodable, Sendable, CustomStringConvertible {
        let name: String
        let bytes: Data
        let largest: Int
        let schemas: [Int]
        let to: String
        let mostFiles: Int?
        let needsInflate: Bool?
        let result: Result<Opened>

        var description: String { name }
    }

    struct Opened: Decodable, Sendable {
        let transfer: String
        let created: Double
        let from: String
        let to: String
        let schema: Int
        let files: [HandoffManifest.File]
    }

    /// An address, and what is read from it.
    struct AddressCase<Parsed: Decodable & Sendable>: Decodable, Sendable, CustomStringConvertible {
        let name: String
        let url: Address
        let scheme: String?
        let result: Result<Parsed>

        var description: String { name }
    }

    struct Link: Decodable, Sendable {
        let kind: String
        let nonce: Data?
        let key: Data?
        let package: Data?
        let packageLength: Int?
        let packageSHA256: String?
        let digest: String?
    }

    struct Old: Decodable, Sendable {
        let content: Data
        let length: Int
    }

    struct Written: Decodable, Sendable, CustomStringConvertible {
        struct File: Decodable, Sendable {
            let name: String
            let content: Data
        }

        let name: String
        let transfer: String
        let created: Double
        let from: String
        let to: String
        let schema: Int
        let files: [File]
        let manifest: String
        let bytes: Data

        var description: String { name }
    }

    struct Result<Value: Decodable & Sendable>: Decodable, Sendable {
        let ok: Value?
        let error: String?
    }

    /// An address, or one that is too long to write out.
    struct Address: Decodable, Sendable {
        let text: String

        init(from decoder: any Decoder) throws {
            if let text = try? decoder.singleValueContainer().decode(String.self) {
                self.text = text
                return
            }
            struct Repeated: Decodable {
                let prefix: String
                let `repeat`: String
                let times: Int
                let suffix: String
            }
            let parts = try Repeated(from: decoder)
            text = parts.prefix + String(repeating: parts.repeat, count: parts.times) + parts.suffix
        }
    }

    let cases: [Package]
    let links: [AddressCase<Link>]
    let old: [AddressCase<Old>]
    let oldAddress: String
    let write: [Written]

    static let all = vectors("handoff", as: Self.self)
}

extension HandoffError {
    /// The error's name in the vectors.
    var name: String {
        switch self {
        case .notAPackage: "notAPackage"
        case .sealed: "sealed"
        case .invalidManifest: "manifest"
        case .wrongReceiver: "wrongReceiver"
        case .newerSchema: "newerSchema"
        case .unsupportedSchema: "unsupportedSchema"
        case .invalidName: "name"
        case .tooManyFiles: "tooManyFiles"
        case .tooLarge: "tooLarge"
        case .codecUnavailable: "codecUnavailable"
        case .truncated: "truncated"
        case .trailingBytes: "trailing"
        case .corrupt: "corrupt"
        case .notALink: "notALink"
        case .linkTooLong: "tooLong"
        case .missingPayload: "noPayload"
        case .malformedPayload: "malformedPayload"
        default: "not in the vectors: \(self)"
        }
    }
}

import Foundation
import Unlocks

/// The rules of the design as data, judged by an independent reference.
struct UnlocksVectors: Decodable {
    struct Versions: Decodable, Sendable {
        let a: String
        let b: String
        let order: Int?
    }

    struct CatalogueCase: Decodable, Sendable, CustomStringConvertible {
        struct Context: Decodable, Sendable {
            let appVersion: String
            let platform: String
            let edition: String?
            let languages: [String]
        }

        struct Rejected: Decodable, Sendable, Equatable {
            let index: Int
            let member: String?
        }

        struct Offered: Decodable, Sendable, Equatable {
            let id: String
            let state: String
            let price: String?
            let minimum: String?
            let title: String?
        }

        struct Result: Decodable, Sendable {
            let error: String?
            let revision: Int?
            let rejected: [Rejected]?
            let offers: [Offered]?
            let rejectedRewards: [Rejected]?
        }

        let name: String
        let json: String?
        let base64: Data?
        let padTo: Int?
        let context: Context
        let store: [String: String]
        let owned: [String]
        let pending: [String]
        let result: Result

        var description: String { name }

        var bytes: Data {
            let bytes = base64 ?? Data((json ?? "").utf8)
            return bytes + Data(repeating: UInt8(ascii: " "), count: max(0, (padTo ?? 0) - bytes.count))
        }
    }

    struct PaidBeforeCase: Decodable, Sendable, CustomStringConvertible {
        struct Transaction: Decodable, Sendable {
            let id: String
            let verified: Bool
            let revoked: Bool
            let originalPlatform: String?
            let originalVersion: String
            let originalPurchase: Date
        }

        let name: String
        let switches: [String: String]
        let date: Date?
        let platform: String
        let environment: String
        let override: Bool?
        let transaction: Transaction?
        let kept: PaidBefore.Kept?
        let answer: String
        let reason: String
        let keptAfter: PaidBefore.Kept?

        var description: String { name }
    }

    let versions: [Versions]
    let catalogues: [CatalogueCase]
    let paidBefore: [PaidBeforeCase]

    /// The cases in the folder that `REFERRAL_VECTORS` names, or else in `Tests/Vectors`.
    static let all: UnlocksVectors = {
        let named = ProcessInfo.processInfo.environment["REFERRAL_VECTORS"] ?? ""
        let tests = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        let folder = named.isEmpty ? tests.appending(path: "Vectors") : URL(filePath: named)
        do {
            let decoder = JSONDecoder()
            decoder.dateDecodingStrategy = .iso8601
            return try decoder.decode(
                UnlocksVectors.self,
                from: Data(contentsOf: folder.appending(path: "unlocks.json"))
            )
        } catch {
            fatalError("unlocks.json in \(folder.path()): \(error)")
        }
    }()
}

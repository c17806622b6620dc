import Foundation
import TestSupport
import Unlocks

/// The rules of the design as data, judged by an independent reference.
struct UnlocksVectors: Decodable {
    struct Versions: Decodable, Sendable {
        let a: String
        let b: String
        let order: Int?
    }

    struct CatalogCase: CatalogText, Sendable, CustomStringConvertible {
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
            let reason: String?
            let title: String?
            let icon: String?
            let about: String?
            let pictures: [String]?
            let page: String?
        }

        struct Section: Decodable, Sendable, Equatable {
            let title: String?
            let items: [String]
        }

        struct Result: Decodable, Sendable {
            let error: String?
            let revision: Int?
            let rejected: [Rejected]?
            let offers: [Offered]?
            let rejectedRewards: [Rejected]?
            let rejectedSections: [Rejected]?
            let sections: [Section]?

            /// The members and entries that are left out, such as `items[0].kind`.
            var rejectedPlaces: [String] {
                let lists = [("items", rejected), ("rewards", rejectedRewards), ("sections", rejectedSections)]
                return lists.flatMap { list, places in
                    (places ?? []).map { "\(list)[\($0.index)]" + ($0.member.map { ".\($0)" } ?? "") }
                }
            }
        }

        let name: String
        let json: String?
        let base64: Data?
        let fill: CatalogFill?
        let padTo: Int?
        let context: Context
        let store: [String: String]
        let owned: [UnlockID]
        let openForNow: [UnlockID]?
        let trials: [String: String]?
        let plans: [ProductID]?
        let onlyByPlans: [UnlockID]?
        let payments: Bool?
        let pending: [ProductID]
        let result: Result

        var description: String { name }
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
        let firstFreeVersions: [String: String]
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

    /// Something that happens in a case of the ledger or of rewards.
    struct Event: Decodable, Sendable {
        struct GuestbookEntry: Decodable, Sendable {
            let id: String
            let program: String
            let format: Int
        }

        struct Referral: Decodable, Sendable {
            let referrer: String
            let parameters: [String: String]
            let signed: Bool
        }

        /// What happens; `nil` in a list of transactions.
        let `do`: String?
        let transaction: String?
        let product: ProductID?
        let feed: String?
        let verified: Bool?
        let revoked: Bool?
        let transactions: [Event]?
        let items: [JSONText]?
        let rewards: [JSONText]?
        let entries: [GuestbookEntry]?
        let edition: String?
        let answer: String?
        let grants: [UnlockID]?
        let reward: String?
        let amount: Int?
        let item: ItemID?
        let unlock: UnlockID?
        let count: Int?
        let referral: Referral?
        let event: EventName?
        let referrer: String?
        let at: Date?
        let environment: String?
        let products: Bool?
        let app: Date?
        let purchaseDate: Date?
        let originalPurchaseDate: Date?
        let signedDate: Date?
        let expirationDate: Date?
        let productKind: String?
        let quantity: Int?

        var itemsText: String? { items?.map(\.text).joined(separator: ",") }
        var rewardsText: String? { rewards?.map(\.text).joined(separator: ",") }

        var statement: StoreStatement? {
            guard let transaction, let product else { return nil }
            let statement = StoreTransaction(
                id: transaction,
                productID: product,
                productKind: productKind.flatMap(StoreTransaction.ProductKind.init),
                quantity: quantity ?? 1,
                environment: environment.flatMap(StoreEnvironment.init),
                purchaseDate: purchaseDate,
                originalPurchaseDate: originalPurchaseDate,
                signedDate: signedDate,
                expirationDate: expirationDate,
                isRevoked: revoked ?? (`do` == "revocation")
            )
            return verified ?? true ? .verified(statement) : .unverified(statement, reason: "a test")
        }
    }

    struct LedgerCase: Decodable, Sendable, CustomStringConvertible {
        struct State: Decodable, Sendable {
            let state: String
            let evidence: [String]
            let balance: Int?
            let isRunningOut: Bool?
            let why: String?
        }

        let name: String
        /// The readings that the case depends on. In a case with one, the store is asked only when the case says so.
        let choice: [String]?
        let environment: String?
        let at: Date?
        let answered: Bool?
        let items: [JSONText]
        let events: [Event]
        let result: [String: State]
        let spends: [Bool]

        var description: String { name }

        var itemsText: String { items.map(\.text).joined(separator: ",") }

        func catalog() throws -> ShopCatalog { try ShopCatalog.of(items: itemsText) }

        /// The products that the store forgets once they are finished.
        var packs: Set<ProductID> {
            let items = (try? catalog().items) ?? []
            return Set(items.filter { $0.kind != .nonConsumable && $0.kind != .subscription }.compactMap(\.productID))
        }
    }

    struct RewardsCase: Decodable, Sendable, CustomStringConvertible {
        let name: String
        let rewards: [JSONText]
        let events: [Event]
        let granted: [RewardID]

        var description: String { name }

        func catalog() throws -> ShopCatalog { try ShopCatalog.of(rewards: rewards.map(\.text).joined(separator: ",")) }
    }

    let versions: [Versions]
    let catalogs: [CatalogCase]
    let paidBefore: [PaidBeforeCase]
    let ledger: [LedgerCase]
    let rewards: [RewardsCase]

    static let all = vectors("unlocks", as: Self.self, dates: .iso8601)
}

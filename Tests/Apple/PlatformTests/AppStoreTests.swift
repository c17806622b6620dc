import Foundation
import StoreKit
import Testing
import Unlocks

extension PlatformTests {
    /// What StoreKit says, as a store says it.
    @MainActor
    struct AppStoreTests {
        /// With StoreKit imported too, the name needs its module's.
        private let store = Unlocks.AppStore(now: { date })
        private static let date = Date(timeIntervalSince1970: 1_800_000_000)
        private var date: Date { Self.date }

        init() {
            Transaction.history.clear()
            Product.answer = { identifiers in
                identifiers.filter { $0 != "unknown" }.map { Product(id: $0, displayPrice: "2,99 €") }
            }
            Product.onPurchase = { _ in .userCancelled }
        }

        // MARK: Products

        @Test("products come with the store's own prices, and those that it doesn't know are left out")
        func products() async throws {
            let products = try await store.products(["gold", "unknown"])
            #expect(products == [StoreProduct(id: "gold", price: "2,99 €")])
        }

        @Test("nothing is asked for no products, and an error of the network comes through")
        func productsUnavailable() async throws {
            Product.answer = { _ in throw StoreKitError.networkError(URLError(.notConnectedToInternet)) }
            #expect(try await store.products([]).isEmpty)
            await #expect(throws: StoreKitError.self) { try await store.products(["gold"]) }
        }

        // MARK: Purchases

        @Test("a purchase is verified or not, and finished by its identifier")
        func purchase() async throws {
            let transaction = Transaction(id: 7, productID: "gold", purchasedQuantity: 3)
            Product.onPurchase = { _ in .success(.verified(transaction)) }
            let expected = StoreTransaction(
                id: "7",
                product: "gold",
                quantity: 3,
                app: "com.example.trestle",
                purchaseDate: date,
                signedDate: date
            )
            #expect(try await store.purchase("gold") == .purchased(.verified(expected)))
            Product.onPurchase = { _ in .success(.unverified(transaction, .invalidSignature)) }
            #expect(try await store.purchase("gold") == .purchased(.unverified(expected, reason: "invalidSignature")))
            await store.finish("7")
            await store.finish("7")
            #expect(Transaction.history.state.finished == [7])
        }

        @Test("a purchase that waits for approval is pending, and one that is called off is cancelled")
        func otherAnswers() async throws {
            #expect(try await store.purchase("gold") == .cancelled)
            Product.onPurchase = { _ in throw StoreKitError.userCancelled }
            #expect(try await store.purchase("gold") == .cancelled)
            Product.onPurchase = { _ in .pending }
            #expect(try await store.purchase("gold") == .pending)
            Product.onPurchase = { _ in .somethingNew }
            await #expect(throws: StoreError.unknownAnswer) { try await store.purchase("gold") }
        }

        @Test("StoreKit's errors come through")
        func purchaseErrors() async {
            Product.onPurchase = { _ in throw Product.PurchaseError.purchaseNotAllowed }
            await #expect(throws: Product.PurchaseError.purchaseNotAllowed) { try await store.purchase("gold") }
            Product.onPurchase = { _ in throw StoreKitError.notAvailableInStorefront }
            await #expect(throws: StoreKitError.self) { try await store.purchase("gold") }
        }

        @Test("a product is looked up once, and one that the store doesn't know can't be bought")
        func lookup() async throws {
            _ = try await store.products(["gold"])
            Product.answer = { _ in [] }
            #expect(try await store.purchase("gold") == .cancelled)
            await #expect(throws: StoreError.noSuchProduct("silver")) { try await store.purchase("silver") }
        }

        @Test("an app can show the sheet itself")
        func ownSheet() async throws {
            var bought: [String] = []
            let store = Unlocks.AppStore { product in
                bought.append(product.id)
                return .pending
            }
            #expect(try await store.purchase("gold") == .pending)
            #expect(bought == ["gold"])
        }

        // MARK: What a transaction says

        @Test("a refund, and the end of family sharing, is a revocation of the same transaction")
        func refund() async {
            let transaction = await read(Transaction(id: 7, productID: "gold", revocationDate: date))
            #expect(transaction?.isRevoked == true && transaction?.id == "7")
        }

        @Test("an upgraded subscription has ended when the store says so, or before", arguments: [-60.0, 60])
        func upgrade(end: TimeInterval) async {
            let transaction = Transaction(id: 7, productID: "club", expirationDate: date + end, isUpgraded: true)
            #expect(await read(transaction)?.expirationDate == date + min(0, end))
        }

        @Test("a subscription lasts through its grace period", arguments: [-60.0, 60])
        func grace(end: TimeInterval) async {
            let transaction = Transaction(id: 7, productID: "club", expirationDate: date)
            tellStatus(of: transaction, latest: .verified(transaction), renewal: { .verified($0) }, grace: date + end)
            #expect(await read(transaction)?.expirationDate == date + max(0, end))
        }

        @Test("without a grace period it lasts until its expiration, and what doesn't end has none")
        func noGrace() async {
            let transaction = Transaction(id: 7, productID: "club", expirationDate: date)
            tellStatus(of: transaction, latest: .verified(transaction), renewal: { .verified($0) }, grace: nil)
            #expect(await read(transaction)?.expirationDate == date)
            #expect(await read(Transaction(id: 8, productID: "club", expirationDate: date))?.expirationDate == date)
            let lasting = Transaction(id: 9, productID: "gold")
            tellStatus(of: lasting, latest: .verified(lasting), renewal: { .verified($0) }, grace: date + 60)
            #expect(await read(lasting)?.expirationDate == nil)
        }

        @Test("a grace period counts only if it is signed, and is about this very period")
        func foreignGrace() async {
            let transaction = Transaction(id: 7, productID: "club", expirationDate: date)
            let end = date + 60
            tellStatus(
                of: transaction,
                latest: .verified(transaction),
                renewal: { .unverified($0, .invalidSignature) },
                grace: end
            )
            #expect(await read(transaction)?.expirationDate == date)
            tellStatus(
                of: transaction,
                latest: .unverified(transaction, .invalidSignature),
                renewal: { .verified($0) },
                grace: end
            )
            #expect(await read(transaction)?.expirationDate == date)
            let later = Transaction(id: 8, productID: "club", expirationDate: date)
            tellStatus(of: transaction, latest: .verified(later), renewal: { .verified($0) }, grace: end)
            #expect(await read(transaction)?.expirationDate == date)
        }

        @Test("nobody is asked for the grace period of what hasn't expired")
        func early() async {
            let transaction = Transaction(id: 7, productID: "club", expirationDate: date + 1)
            tellStatus(of: transaction, latest: .verified(transaction), renewal: { .verified($0) }, grace: date + 60)
            #expect(await read(transaction)?.expirationDate == date + 1)
        }

        @Test("no grace period reopens what was refunded")
        func refundedGrace() async {
            let transaction = Transaction(id: 7, productID: "club", expirationDate: date, revocationDate: date)
            tellStatus(of: transaction, latest: .verified(transaction), renewal: { .verified($0) }, grace: date + 60)
            #expect(await read(transaction)?.expirationDate == date)
        }

        // MARK: Lists

        @Test("what is unfinished and what somebody has comes in order, verified or not")
        func lists() async {
            let bad = VerificationResult.unverified(Transaction(id: 1, productID: "gold"), .invalidEncoding)
            let good = VerificationResult.verified(Transaction(id: 2, productID: "club"))
            Transaction.history.change { ($0.unfinished, $0.entitlements) = ([bad, good], [good, bad]) }
            #expect(await store.unfinishedTransactions().map(\.summary) == ["1: invalidEncoding", "2"])
            #expect(await store.currentEntitlements().map(\.summary) == ["2", "1: invalidEncoding"])
        }

        @Test("the last transaction of a product comes also if it was refunded, and may be missing")
        func latest() async {
            let refunded = Transaction(id: 3, productID: "gold", revocationDate: date)
            Transaction.history.change { $0.latest["gold"] = .verified(refunded) }
            #expect(await store.latestTransaction(of: "gold")?.summary == "3")
            #expect(await store.latestTransaction(of: "club") == nil)
        }

        @Test("after a relaunch, each of several unfinished purchases of a product is finished by its identifier")
        func finishAfterRelaunch() async {
            let packs = (1...3).map { VerificationResult.verified(Transaction(id: $0, productID: "hints")) }
            Transaction.history.change { $0.unfinished = packs }
            for id in ["2", "9", "two", "1", "2"] { await store.finish(id) }
            #expect(Transaction.history.state.finished == [2, 1])
            #expect(await store.unfinishedTransactions().map(\.summary) == ["3"])
            await store.finish("3")
            #expect(Transaction.history.state.finished == [2, 1, 3])
        }

        // MARK: Updates

        @Test("a transaction that isn't verified doesn't end the updates, which every listener gets")
        func updates() async {
            let first = listen(for: 3)
            let second = listen(for: 3)
            await until("both listen") { Transaction.history.numberOfListeners == 2 }
            Transaction.history.send(.verified(Transaction(id: 1, productID: "gold")))
            Transaction.history.send(.unverified(Transaction(id: 2, productID: "gold"), .revokedCertificate))
            Transaction.history.send(.verified(Transaction(id: 3, productID: "gold", revocationDate: date)))
            #expect(await first.value == ["1", "2: revokedCertificate", "3"])
            #expect(await second.value == ["1", "2: revokedCertificate", "3"])
            await store.finish("3")
            #expect(Transaction.history.state.finished == [3], "an update is finished although no list has it")
            await until("nobody listens") { Transaction.history.numberOfListeners == 0 }
        }

        @Test("updates end when the task that reads them is cancelled")
        func cancellation() async {
            let task = listen(for: .max)
            await until("it listens") { Transaction.history.numberOfListeners == 1 }
            task.cancel()
            #expect(await task.value.isEmpty)
            await until("nobody listens") { Transaction.history.numberOfListeners == 0 }
        }

        // MARK: The app's own purchase

        @Test("the app's own purchase, verified or not")
        func appPurchase() async throws {
            let transaction = AppTransaction(originalPurchaseDate: date, originalAppVersion: "229")
            AppTransaction.answer = { .verified(transaction) }
            var expected = AppPurchase(
                id: "704",
                isVerified: true,
                isRevoked: false,
                originalPlatform: .iOS,
                originalVersion: "229",
                originalPurchase: date
            )
            #expect(try await store.appPurchase() == expected)
            AppTransaction.answer = { .unverified(transaction, .invalidDeviceVerification) }
            expected.isVerified = false
            #expect(try await store.appPurchase() == expected)
        }

        @Test("a store that doesn't answer throws")
        func noAppPurchase() async {
            AppTransaction.answer = { throw StoreKitError.unknown }
            await #expect(throws: StoreKitError.self) { try await store.appPurchase() }
        }

        @Test(
            "an environment that nobody knows is no production",
            arguments: [
                ("Production", StoreEnvironment.production), ("Sandbox", .sandbox), ("Xcode", .xcode),
                ("LocalTesting", .sandbox),
            ]
        )
        func environment(name: String, expected: StoreEnvironment) async throws {
            let transaction = AppTransaction(originalPurchaseDate: date, environment: .init(rawValue: name))
            AppTransaction.answer = { .verified(transaction) }
            #expect(try await store.appPurchase()?.environment == expected)
        }

        @Test(
            "a revocation is what the signed text says, and what can't be read is none",
            arguments: [
                (#"{"revocationDate":1800000000000}"#, true), (#"{"revocationDate":"2027-01-15T08:00:00Z"}"#, true),
                (#"{"revocationDate":null}"#, false), ("{}", false), ("", false), ("[]", false),
            ]
        )
        func revocation(json: String, expected: Bool) async throws {
            let transaction = AppTransaction(originalPurchaseDate: date, json: json)
            AppTransaction.answer = { .verified(transaction) }
            #expect(try await store.appPurchase()?.isRevoked == expected)
        }

        @Test("a transaction from before there were identifiers and platforms")
        func oldTransaction() async throws {
            let transaction = AppTransaction(originalPurchaseDate: date, appTransactionID: "", platform: "")
            AppTransaction.answer = { .verified(transaction) }
            let purchase = try #require(try await store.appPurchase())
            #expect(purchase.id == "purchased-1800000000")
            #expect(purchase.originalPlatform == nil)
        }

        // MARK: Sync

        @Test("a sync asks StoreKit, and its errors come through")
        func sync() async throws {
            try await store.sync()
            StoreKit.AppStore.onSync = { throw StoreKitError.userCancelled }
            defer { StoreKit.AppStore.onSync = {} }
            await #expect(throws: StoreKitError.self) { try await store.sync() }
        }
    }
}

private extension PlatformTests.AppStoreTests {
    /// What the store says of a transaction.
    func read(_ transaction: Transaction) async -> StoreTransaction? {
        Transaction.history.change { $0.latest[transaction.productID] = .verified(transaction) }
        guard case .verified(let read) = await store.latestTransaction(of: transaction.productID) else { return nil }
        return read
    }

    func tellStatus(
        of transaction: Transaction,
        latest: VerificationResult<Transaction>,
        renewal: (Product.SubscriptionInfo.RenewalInfo) -> VerificationResult<Product.SubscriptionInfo.RenewalInfo>,
        grace: Date?
    ) {
        let info = renewal(Product.SubscriptionInfo.RenewalInfo(gracePeriodExpirationDate: grace))
        let status = Product.SubscriptionInfo.Status(transaction: latest, renewalInfo: info)
        Transaction.history.change { $0.statuses[transaction.id] = status }
    }

    /// Reads a number of updates.
    func listen(for count: Int) -> Task<[String], Never> {
        let updates = store.updates()
        return Task {
            var heard: [String] = []
            for await update in updates {
                heard.append(update.summary)
                if heard.count == count { break }
            }
            return heard
        }
    }
}

private extension StoreStatement {
    /// The identifier, and why it isn't verified.
    var summary: String {
        switch self {
        case .verified(let transaction): transaction.id
        case .unverified(let transaction, let reason): "\(transaction.id): \(reason)"
        }
    }
}

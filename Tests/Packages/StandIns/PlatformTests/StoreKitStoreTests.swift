import Foundation
import StoreKit
import TestSupport
import Testing
import Unlocks

extension PlatformTests {
    /// What StoreKit says, as a store says it.
    @MainActor
    struct StoreKitStoreTests {
        /// With StoreKit imported too, the name needs its module's.
        let store = StoreKitStore()
        nonisolated static let date = Date(timeIntervalSince1970: 1_800_000_000)
        var date: Date { Self.date }

        init() {
            Transaction.history.clear()
            Product.answer = { identifiers in
                identifiers.filter { $0 != "unknown" }.map { Product(id: $0, displayPrice: "2,99 €") }
            }
            AppTransaction.refreshed = { throw StoreKitError.userCancelled }
            Product.onPurchase = { _ in .userCancelled }
            (Product.asks, Product.status) = ([], { _ in [] })
        }

        // MARK: Products

        @Test("products come with the store's own prices, and those that it doesn't know are left out")
        func products() async throws {
            let products = try await store.products(["gold", "unknown"])
            #expect(products == [StoreProduct(id: "gold", price: "2,99 €")])
        }

        @Test(
            "a product has the group that it is a plan of, and no introduction for those who have a plan of the group",
            arguments: [
                (nil, true), (.expired, true), (.revoked, true), (.subscribed, false), (.inGracePeriod, false),
                (.inBillingRetryPeriod, false),
            ] as [(Product.SubscriptionInfo.RenewalState?, Bool)]
        )
        func group(_ state: Product.SubscriptionInfo.RenewalState?, _ hasIntroduction: Bool) async throws {
            let month = Product.SubscriptionPeriod(unit: .month, value: 1)
            let offer = Product.SubscriptionOffer(
                displayPrice: "",
                period: month,
                periodCount: 1,
                paymentMode: .freeTrial
            )
            Product.answer = { _ in
                [Product(id: "club", displayPrice: "1 €", period: month, introductoryOffer: offer, group: "7")]
            }
            Product.status = { group in group == "7" ? [state].compactMap(\.self) : [] }
            let product = try #require(try await store.products(["club"]).first)
            #expect(product.group == "7")
            #expect((product.introduction != nil) == hasIntroduction)
            Product.status = { _ in throw StoreKitError.unknown }
            #expect(try await store.products(["club"]).first?.introduction != nil, "offline, StoreKit's answer counts")
        }

        @Test("a product has the store's title, and its introduction only if the person may have it")
        func introductions() async throws {
            typealias Offer = Product.SubscriptionOffer
            let month = Product.SubscriptionPeriod(unit: .month, value: 1)
            let week = Product.SubscriptionPeriod(unit: .week, value: 1)
            Product.answer = { identifiers in
                identifiers.map { id in
                    let mode: Offer.PaymentMode = id == "cheap" ? .payAsYouGo : .freeTrial
                    let offer = Offer(displayPrice: "0,99 €", period: week, periodCount: 2, paymentMode: mode)
                    return Product(
                        id: id,
                        displayName: "Club",
                        displayPrice: "1,99 €",
                        period: month,
                        introductoryOffer: offer,
                        isEligible: id != "had"
                    )
                }
            }
            let products = try await store.products(["cheap", "free", "had"])
            let introductions = [
                StoreProduct.Introduction(price: "0,99 €", period: SubscriptionPeriod(.week), count: 2),
                StoreProduct.Introduction(period: SubscriptionPeriod(.week), count: 2), nil,
            ]
            #expect(products.map(\.introduction) == introductions)
            #expect(products.map(\.title) == ["Club", "Club", "Club"])
        }

        @Test("a statement has its price, its first date and its signed text, and is finished whatever its text")
        func facts() async throws {
            let transaction = Transaction(
                id: 7,
                productID: "gold",
                originalPurchaseDate: Date(timeIntervalSince1970: 1_700_000_000),
                price: Decimal(string: "2.99"),
                currency: "EUR"
            )
            Transaction.history.change { $0.unfinished = [.verified(transaction)] }
            let statement = try #require(await store.unfinishedTransactions().first?.transaction)
            #expect(statement.price == Decimal(string: "2.99"))
            #expect(statement.currency == "EUR")
            #expect(statement.originalPurchaseDate == Date(timeIntervalSince1970: 1_700_000_000))
            #expect(statement.signedText == "header.7.signature")
            await store.finish(statement)
            #expect(Transaction.history.state.finished == [7])
        }

        @Test("nothing is asked for no products, and an error of the network comes through")
        func productsUnavailable() async throws {
            Product.answer = { _ in throw StoreKitError.notAvailableInStorefront }
            #expect(try await store.products([]).isEmpty)
            await #expect(throws: StoreKitError.self) { try await store.products(["gold"]) }
        }

        @Test("a device that is offline has an error of its own, whatever is asked")
        func offline() async {
            for error in [.networkError(URLError(.timedOut)), .systemError(URLError(.timedOut))] as [StoreKitError] {
                Product.answer = { _ in throw error }
                AppTransaction.answer = { throw error }
                AppTransaction.refreshed = { throw error }
                StoreKit.AppStore.onSync = { throw error }
                await #expect(throws: StoreError.unreachable) { try await store.products(["gold"]) }
                await #expect(throws: StoreError.unreachable) { try await store.purchase("gold") }
                await #expect(throws: StoreError.unreachable) { try await store.appPurchase(isRefresh: false) }
                await #expect(throws: StoreError.unreachable) { try await store.appPurchase(isRefresh: true) }
                await #expect(throws: StoreError.unreachable) { try await store.sync() }
            }
            StoreKit.AppStore.onSync = {}
        }

        @Test("a subscription's period is StoreKit's")
        func period() async throws {
            let units: [(Product.SubscriptionPeriod.Unit, SubscriptionPeriod.Unit)] = [
                (.day, .day), (.week, .week), (.month, .month), (.year, .year),
            ]
            for (unit, expected) in units {
                Product.answer = { _ in
                    [Product(id: "club", displayPrice: "1,99 €", period: .init(unit: unit, value: 3))]
                }
                let products = try await store.products(["club"])
                #expect(products.map(\.period) == [SubscriptionPeriod(expected, count: 3)])
            }
        }

        // MARK: Purchases

        @Test("a purchase is verified or not, and finished once")
        func purchase() async throws {
            let transaction = Transaction(
                id: 7,
                originalID: 3,
                productID: "gold",
                productType: .consumable,
                ownershipType: .familyShared,
                environment: .xcode,
                purchasedQuantity: 3
            )
            Product.onPurchase = { _ in .success(.verified(transaction)) }
            let expected = StoreTransaction(
                id: "7",
                originalID: "3",
                productID: "gold",
                productKind: .consumable,
                quantity: 3,
                app: "com.example.trestle",
                environment: .xcode,
                isFamilyShared: true,
                purchaseDate: date,
                signedDate: date,
                signedText: "header.7.signature"
            )
            #expect(try await store.purchase("gold") == .purchased(.verified(expected)))
            Product.onPurchase = { _ in .success(.unverified(transaction, .invalidSignature)) }
            #expect(try await store.purchase("gold") == .purchased(.unverified(expected, reason: "invalidSignature")))
            await store.finish(expected)
            await store.finish(expected)
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
            Product.answer = { _ in throw StoreKitError.notAvailableInStorefront }
            #expect(try await store.purchase("gold") == .cancelled)
            Product.answer = { _ in [] }
            await #expect(throws: StoreError.noSuchProduct("silver")) { try await store.purchase("silver") }
        }

        @Test("an app gives a purchase its own options")
        func ownOptions() async throws {
            let token = Product.PurchaseOption(named: "token")
            let store = StoreKitStore { product in product.id == "gold" ? [token] : [] }
            #expect(try await store.purchase("gold") == .cancelled)
            #expect(try await store.purchase("silver") == .cancelled)
            #expect(Product.asks.map(\.options) == [[token], []])
        }

        // MARK: What a transaction says

        @Test("a refund, and the end of family sharing, is a revocation of the same transaction")
        func refund() async {
            let transaction = await read(Transaction(id: 7, productID: "gold", revocationDate: date))
            #expect(transaction?.isRevoked == true)
            #expect(transaction?.id == "7")
        }

        @Test("an upgraded subscription has ended when the store says so, or before", arguments: [-60.0, 60])
        func upgrade(end: Double) async {
            let transaction = Transaction(id: 7, productID: "club", expirationDate: date + end, isUpgraded: true)
            #expect(await read(transaction)?.expirationDate == date + min(0, end))
        }

        @Test("the expiration is the transaction's own: the grace period is in StoreKit's list")
        func expiration() async {
            let transaction = Transaction(id: 7, productID: "club", expirationDate: date)
            #expect(await read(transaction)?.expirationDate == date)
            #expect(await read(Transaction(id: 9, productID: "gold"))?.expirationDate == nil)
        }

        @Test(
            "each kind of product has its name, and one that nobody knows has none",
            arguments: [
                (.consumable, .consumable), (.nonConsumable, .nonConsumable), (.nonRenewable, .nonRenewing),
                (.autoRenewable, .subscription), (Product.ProductType(rawValue: "Something New"), nil),
            ] as [(Product.ProductType, StoreTransaction.ProductKind?)]
        )
        func productKind(type: Product.ProductType, kind: StoreTransaction.ProductKind?) async {
            #expect(await read(Transaction(id: 7, productID: "x", productType: type))?.productKind == kind)
        }

        // MARK: The environment

        @Test("the environment is that of what StoreKit has signed, and of nothing that isn't verified")
        func storeEnvironment() async throws {
            #expect(store.environment == nil)
            _ = await read(Transaction(id: 7, productID: "gold", environment: .sandbox))
            #expect(store.environment == .sandbox)
            let forged = Transaction(id: 8, productID: "gold", environment: .production)
            Transaction.history.change { $0.all = [.unverified(forged, .invalidSignature)] }
            _ = await store.allTransactions()
            #expect(store.environment == .sandbox)
            AppTransaction.answer = { .verified(AppTransaction(originalPurchaseDate: Self.date)) }
            _ = try await store.appPurchase(isRefresh: false)
            #expect(store.environment == .production)
        }

        // MARK: Outside of the app

        @Test("a promoted product comes from StoreKit's intents, and can be bought without asking for it again")
        func purchaseIntent() async throws {
            let intents = store.purchaseIntents()
            await until("it listens") { PurchaseIntent.feed.numberOfListeners == 1 }
            PurchaseIntent.feed.send(PurchaseIntent(product: Product(id: "gold", displayPrice: "2,99 €")))
            for await product in intents {
                #expect(product == "gold")
                break
            }
            Product.answer = { _ in [] }
            #expect(try await store.purchase("gold") == .cancelled)
        }

        @Test("another storefront forgets the products with the former prices")
        func storefront() async throws {
            _ = try await store.products(["gold"])
            let changes = store.storefrontChanges()
            await until("it listens") { Storefront.feed.numberOfListeners == 1 }
            Product.answer = { _ in [] }
            Storefront.feed.send(Storefront(id: "143443", countryCode: "DEU"))
            for await _ in changes { break }
            await #expect(throws: StoreError.noSuchProduct("gold")) { try await store.purchase("gold") }
        }

        @Test("a store that is gone ends its streams")
        func gone() async {
            var store: StoreKitStore? = StoreKitStore()
            let changes = store?.storefrontChanges()
            await until("it listens") { Storefront.feed.numberOfListeners == 1 }
            store = nil
            let reading = Task {
                var count = 0
                if let changes { for await _ in changes { count += 1 } }
                return count
            }
            var count: Int?
            Task { count = await reading.value }
            // Another store may have been the one that listened.
            await until("it has ended") {
                Storefront.feed.send(Storefront(id: "143443", countryCode: "DEU"))
                return count != nil
            }
            #expect(count == 0)
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

        @Test("all transactions come in order, refunded ones and several of one product too, verified or not")
        func all() async {
            #expect(await store.allTransactions().isEmpty)
            let refunded = Transaction(id: 3, productID: "gold", revocationDate: date)
            let again = VerificationResult.verified(Transaction(id: 5, productID: "gold"))
            let bad = VerificationResult.unverified(Transaction(id: 4, productID: "club"), .invalidEncoding)
            Transaction.history.change { $0.all = [.verified(refunded), bad, again] }
            #expect(await store.allTransactions().map(\.summary) == ["3", "4: invalidEncoding", "5"])
        }

        @Test("after a relaunch, each of several unfinished purchases of a product is finished alone")
        func finishAfterRelaunch() async {
            let packs = (1...3).map { VerificationResult.verified(Transaction(id: $0, productID: "hints")) }
            Transaction.history.change { $0.unfinished = packs }
            _ = await store.unfinishedTransactions()
            for id in ["2", "9", "two", "1", "2"] { await store.finish(Self.pack(id)) }
            #expect(Transaction.history.state.finished == [2, 1])
            #expect(await store.unfinishedTransactions().map(\.summary) == ["3"])
            await store.finish(Self.pack("3"))
            #expect(Transaction.history.state.finished == [2, 1, 3])
        }

        @Test("what has changed since isn't finished")
        func changed() async {
            var pack = Transaction(id: 1, productID: "hints")
            Transaction.history.change { $0.unfinished = [.verified(pack)] }
            _ = await store.unfinishedTransactions()
            pack = Transaction(id: 1, productID: "hints", revocationDate: date)
            Transaction.history.change { $0.unfinished = [.verified(pack)] }
            _ = await store.unfinishedTransactions()
            await store.finish(Self.pack("1"))
            #expect(Transaction.history.state.finished.isEmpty)
            var refunded = Self.pack("1")
            refunded.isRevoked = true
            await store.finish(refunded)
            #expect(Transaction.history.state.finished == [1])
        }

        /// What the app makes of a transaction of the stand-in.
        private static func pack(_ id: String) -> StoreTransaction {
            StoreTransaction(
                id: id,
                originalID: id,
                productID: "hints",
                productKind: .nonConsumable,
                app: "com.example.trestle",
                environment: .production,
                purchaseDate: Date(timeIntervalSince1970: 1_800_000_000),
                signedDate: Date(timeIntervalSince1970: 1_800_000_000)
            )
        }

        // MARK: Updates

        @Test("a transaction that isn't verified doesn't end the updates, which every listener gets")
        func updates() async {
            let first = listen(for: 3)
            let second = listen(for: 3)
            await until("both listen") { Transaction.history.numberOfListeners == 2 }
            Transaction.history.send(.verified(Transaction(id: 1, productID: "gold")))
            Transaction.history.send(.unverified(Transaction(id: 2, productID: "gold"), .revokedCertificate))
            Transaction.history.send(.verified(Transaction(id: 3, productID: "hints", revocationDate: date)))
            #expect(await first.value == ["1", "2: revokedCertificate", "3"])
            #expect(await second.value == ["1", "2: revokedCertificate", "3"])
            var refunded = Self.pack("3")
            refunded.isRevoked = true
            await store.finish(refunded)
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

private extension PlatformTests.StoreKitStoreTests {
    /// What the store says of a transaction.
    func read(_ transaction: Transaction) async -> StoreTransaction? {
        Transaction.history.change { $0.all = [.verified(transaction)] }
        guard case .verified(let read) = await store.allTransactions().first else { return nil }
        return read
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

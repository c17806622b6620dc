import Foundation
import ReferralBridge
import SimulatedRuntime
import Testing
import Unlocks

/// What people who try an app see, in App Review and in TestFlight: what a new user sees, and nothing that is open for no reason.
@MainActor
struct ReviewTests {
    private static let items = #"{"id":"full","product":"full","kind":"nonConsumable","grants":["pro"]}"#

    private static func shop(testAnswer: Bool? = nil, _ test: @escaping @MainActor (Shop) throws -> Void) throws {
        try Shop.run(.of(items: items)) { shop in
            shop.paidBefore = PaidBefore(grants: ["pro"], firstFreeVersions: [.iOS: "230"], testAnswer: testAnswer)
            try test(shop)
        }
    }

    /// The app's own purchase as the sandbox reports it, whenever the app was installed.
    private static func tested(_ environment: StoreEnvironment) -> AppPurchase {
        AppPurchase(
            id: "app",
            isVerified: true,
            isRevoked: false,
            originalPlatform: .iOS,
            originalVersion: "1.0",
            originalPurchase: Date(timeIntervalSince1970: 1_375_340_400),
            environment: environment
        )
    }

    private static func offer(_ shop: Shop) -> ShopOffer.State? { shop.unlocks?.offers.first?.state }

    @Test("nobody bought the app before the switch there", arguments: [StoreEnvironment.sandbox, .xcode])
    func nobody(_ environment: StoreEnvironment) throws {
        try Self.shop { shop in
            (shop.store.environment, shop.store.app) = (environment, Self.tested(environment))
            try shop.launch()
            #expect(shop.state("pro") == .locked)
            #expect(Self.offer(shop) == .forSale(price: "1 €"))
        }
    }

    @Test("… also if the system doesn't tell about the app's own purchase, as it often doesn't there")
    func withoutAppPurchase() throws {
        try Self.shop { shop in
            shop.store.environment = .sandbox
            try shop.launch()
            #expect(shop.state("pro") == .locked)
            shop.store.unanswered = [.app]
            try shop.launch()
            #expect(shop.state("pro") == .locked)
            #expect(Self.offer(shop) == .forSale(price: "1 €"))
        }
    }

    @Test("… also if a yes is kept from the App Store's version, which counts again after it")
    func keptAnswer() throws {
        try Self.shop { shop in
            shop.store.app = .onIPhone("229")
            try shop.launch()
            #expect(shop.state("pro") == .unlocked(by: [.paidBefore]))
            for hasApp in [true, false] {
                (shop.store.environment, shop.store.app) = (.sandbox, hasApp ? Self.tested(.sandbox) : nil)
                try shop.launch()
                #expect(shop.state("pro") == .locked, "\(hasApp)")
            }
            (shop.store.environment, shop.store.app) = (.production, nil)
            try shop.launch()
            #expect(shop.state("pro") == .unlocked(by: [.paidBefore]))
        }
    }

    @Test("… also if the environment is known only once the store has signed something")
    func lateEnvironment() throws {
        try Self.shop { shop in
            shop.store.app = .onIPhone("229")
            try shop.launch()
            (shop.store.environment, shop.store.app, shop.store.unanswered) = (nil, nil, [.app])
            try shop.launch()
            #expect(shop.state("pro")?.isUnlocked == true)
            shop.store.environment = .sandbox
            shop.store.announce(.verified(StoreTransaction(id: "1", productID: "other", environment: .sandbox)))
            JobQueue.drain()
            shop.refresh()
            #expect(shop.state("pro") == .locked)
        }
    }

    @Test("an app says otherwise for its tests, and in production nothing of it counts", arguments: [true, false])
    func testAnswer(_ answer: Bool) throws {
        try Self.shop(testAnswer: answer) { shop in
            for hasApp in [true, false] {
                (shop.store.environment, shop.store.app) = (.sandbox, hasApp ? Self.tested(.sandbox) : nil)
                try shop.launch()
                #expect(shop.state("pro") == (answer ? .unlocked(by: [.paidBefore]) : .locked), "\(hasApp)")
            }
            (shop.store.environment, shop.store.app) = (.production, .onIPhone("231"))
            try shop.launch()
            #expect(shop.state("pro") == .locked)
        }
    }
}

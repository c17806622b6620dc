import Foundation
import StoreKit
import Testing
import Unlocks

extension PlatformTests.StoreKitStoreTests {
    @Test("the app's own purchase, verified or not")
    func appPurchase() async throws {
        let transaction = AppTransaction(originalPurchaseDate: date, originalAppVersion: "229", platform: "iOS")
        AppTransaction.answer = { .verified(transaction) }
        var expected = AppPurchase(
            id: "704",
            isVerified: true,
            isRevoked: false,
            originalPlatform: .iOS,
            originalVersion: "229",
            originalPurchase: date,
            signedDate: date
        )
        #expect(try await store.appPurchase(isRefresh: false) == expected)
        AppTransaction.answer = { .unverified(transaction, .invalidDeviceVerification) }
        expected.isVerified = false
        #expect(try await store.appPurchase(isRefresh: false) == expected)
    }

    @Test("whoever asks while a question is open waits for its answer, and the next question is a new one")
    func oneQuestion() async throws {
        var asked = 0
        let date = date
        AppTransaction.answer = { @MainActor in
            asked += 1
            return .verified(AppTransaction(originalPurchaseDate: date))
        }
        // The main actor runs both before the question that the first one asks.
        let asking = (0..<2).map { _ in Task { try await store.appPurchase(isRefresh: false)?.originalPurchase } }
        for task in asking { #expect(try await task.value == date) }
        #expect(asked == 1)
        _ = try await store.appPurchase(isRefresh: false)
        #expect(asked == 2)
    }

    @Test("a new copy is asked for only on request")
    func refreshed() async throws {
        AppTransaction.answer = {
            .verified(AppTransaction(originalPurchaseDate: Self.date, originalAppVersion: "1"))
        }
        AppTransaction.refreshed = {
            .verified(AppTransaction(originalPurchaseDate: Self.date, originalAppVersion: "2"))
        }
        #expect(try await store.appPurchase(isRefresh: false)?.originalVersion == "1")
        #expect(try await store.appPurchase(isRefresh: true)?.originalVersion == "2")
    }

    @Test("a store that doesn't answer throws")
    func noAppPurchase() async {
        AppTransaction.answer = { throw StoreKitError.unknown }
        await #expect(throws: StoreKitError.self) { try await store.appPurchase(isRefresh: false) }
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
        #expect(try await store.appPurchase(isRefresh: false)?.environment == expected)
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
        #expect(try await store.appPurchase(isRefresh: false)?.isRevoked == expected)
    }

    @Test("a purchase from before there were identifiers and platforms is recognized", arguments: ["unknown", ""])
    func oldTransaction(platform: String) async throws {
        let transaction = AppTransaction(
            originalPurchaseDate: date,
            originalAppVersion: "229",
            appTransactionID: "",
            platform: platform
        )
        AppTransaction.answer = { .verified(transaction) }
        let purchase = try #require(try await store.appPurchase(isRefresh: false))
        #expect(purchase.id == "purchased-1800000000")
        var kept: PaidBefore.Kept?
        let rule = PaidBefore(grants: ["pro"], firstFreeVersions: [.iOS: "230"])
        #expect(rule.answer(for: purchase, on: .iOS, kept: &kept).isYes == true)
    }
}

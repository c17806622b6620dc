import Testing
import Unlocks

extension PlatformTests {
    /// This file doesn't import StoreKit, which has an `AppStore` too.
    @MainActor
    struct AppStoreNameTests {
        @Test("without StoreKit, AppStore is the one of Unlocks")
        func name() {
            let store: any Store = AppStore()
            #expect(store is Unlocks.AppStore)
        }
    }
}

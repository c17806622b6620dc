import Foundation
import ReferralBridge
import Unlocks

/// The shop of Trestle. Ten boards are free. The trial and the gold boards have no limit, the club has a new board each day, and
/// there are hints.
///
/// To buy in the simulator, choose `Trestle.storekit` in Xcode: Product > Scheme > Edit Scheme > Run > Options.
@MainActor
enum TrestleShop {
    /// Users must be able to read these beside a subscription.
    static let terms = URL(string: "https://example.com/terms")
    static let privacy = URL(string: "https://example.com/privacy")

    /// Starts opening the folder and listening to the App Store. Call it once, at launch.
    ///
    /// - Returns: The shop; `nil` if the catalog isn't in the app.
    static func open(in folder: URL) -> UnlockCenter? { catalog.map { open($0, in: folder) } }

    /// Opens the shop with another catalog, at another time or with another server, for tests.
    static func open(
        _ catalog: ShopCatalog,
        in folder: URL,
        context: ShopContext = .current,
        clock: DeviceClock = .system,
        downloads: ContentDownloads = ContentDownloads()
    ) -> UnlockCenter {
        let unlocks = UnlockCenter(
            store: StoreKitStore(),
            catalog: catalog,
            folder: folder.appending(path: "Unlocks"),
            context: context,
            paidBefore: paidBefore,
            appIdentifier: Bundle.main.bundleIdentifier,
            clock: clock,
            downloads: downloads
        )
        unlocks.onProblem = { problem in print("Shop: \(problem)") }
        unlocks.start()
        return unlocks
    }

    /// Build 230 was the first free one. Users who paid before have no limit.
    ///
    /// In Xcode and TestFlight, the first purchase isn't real, so the test answer counts there.
    static let paidBefore = PaidBefore(grants: ["boards"], firstFreeVersions: [.iOS: "230"], testAnswer: false)

    /// The catalog in the app. An app with a server loads newer ones, and calls `unlocks.use(_:)`.
    private static var catalog: ShopCatalog? {
        // Not known without a Mac: whether Xcode puts the resources of an app package into the app or into a bundle in it.
        let folders = [nil, "Trestle_Trestle.bundle"]
        let files = folders.lazy.compactMap {
            Bundle.main.url(forResource: "catalog", withExtension: "json", subdirectory: $0)
        }
        return files.first.flatMap { file in try? ShopCatalog(json: Data(contentsOf: file)) }
    }
}

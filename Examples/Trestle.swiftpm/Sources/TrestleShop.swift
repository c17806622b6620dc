import Foundation
import ReferralBridge
import Unlocks

/// The shop of Trestle: gold boards and hints, which users buy, earn, or have because they bought the app.
///
/// To buy in the simulator, choose `Trestle.storekit` in Xcode: Product > Scheme > Edit Scheme > Run > Options.
@MainActor
enum TrestleShop {
    /// Starts opening the folder and listening to the App Store. Call it once, at launch.
    ///
    /// - Returns: The shop; `nil` if the catalog isn't in the app.
    static func open(in folder: URL) -> UnlockCenter? {
        guard let catalog else { return nil }
        let unlocks = UnlockCenter(
            store: StoreKitStore(),
            catalog: catalog,
            folder: folder.appending(path: "Unlocks"),
            context: .current,
            paidBefore: paidBefore,
            appIdentifier: Bundle.main.bundleIdentifier
        )
        unlocks.onProblem = { problem in print("Shop: \(problem)") }
        unlocks.start()
        return unlocks
    }

    /// Build 230 was the first free one. Users who paid before have the gold boards.
    ///
    /// In Xcode and TestFlight, the first purchase isn't real, so the test answer counts there.
    static let paidBefore = PaidBefore(grants: ["gold"], firstFreeVersions: [.iOS: "230"], testAnswer: false)

    /// The catalog in the app. An app with a server loads newer ones, and calls `unlocks.use(_:)`.
    private static var catalog: Catalog? {
        // Not known without a Mac: whether Xcode puts the resources of an app package into the app or into a bundle in it.
        let folders = [nil, "Trestle_Trestle.bundle"]
        let files = folders.lazy.compactMap {
            Bundle.main.url(forResource: "catalog", withExtension: "json", subdirectory: $0)
        }
        return files.first.flatMap { file in try? Catalog(json: Data(contentsOf: file)) }
    }
}

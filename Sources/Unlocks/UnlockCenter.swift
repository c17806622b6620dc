public import ReferralFoundation

/// Determines what a user may use in the app, for whatever reason: it came with this edition, the user bought it, the
/// user bought the app before it became free, or a referral earned it.
///
/// ```swift
/// let unlocks = UnlockCenter(store: StoreKitStore(), catalog: catalog, folder: folder, context: context) { delivery in
///     try await download(delivery.item, into: delivery.folder)
/// }
/// unlocks.start()
/// if unlocks.state(of: "gold").isUnlocked { … }
/// ```
///
/// Create a center when the app launches, and keep it. Every change is on the disk before it counts. The disk isn't
/// used on the main actor, so for a moment after ``start()`` every state is unknown.
@MainActor
public final class UnlockCenter {
    /// Delivers content. It may be called again for the same content, even after it has returned, because a crash can
    /// come before the delivery is recorded. If it throws, it is called again after a pause.
    public typealias Deliver = @MainActor (Delivery) async throws -> Void

    /// The current catalog.
    public internal(set) var catalog: ShopCatalog { didSet { updateAssortment() } }

    /// The app that shows the shop. Changing the edition may change which unlocks are open.
    public var context: ShopContext {
        didSet {
            updateAssortment()
            send(.contextChanged)
        }
    }

    /// The user's own referrer name, if known. Links with this name earn the user no rewards.
    ///
    /// If you know the name, set it before ``start()``, because rewards that were already granted stay. Waiting claims
    /// with this name are forgotten.
    public var ownReferrer: String? { didSet { if ownReferrer != oldValue { send(.ownReferrerChanged) } } }

    /// Called with each problem. Write it to the app's log.
    public var onProblem: (@MainActor (UnlocksProblem) -> Void)?

    /// Called when the user chooses a product outside of the app, such as a promoted product on the App Store's page.
    ///
    /// Return true to start the purchase now, which is also what happens without a closure. To defer it, return false, and
    /// call ``buy(_:in:)`` with the item's name later.
    public var onPurchaseIntent: (@MainActor (CatalogItem) -> Bool)?

    /// The products whose purchase waits for somebody's approval. The store never reports that a purchase was declined,
    /// so this set is forgotten when the app ends.
    public var pendingProducts: Set<ProductID> { state.pendingProducts }

    /// What the center is doing for the user now, such as a purchase, so that a game can mute its sound, or an app can keep the
    /// screen on; `nil` if it is doing nothing.
    public var activity: Activity? {
        if let product = state.purchasing.min() { return .purchasing(catalog.item(selling: product)?.id) }
        if !state.restores.isEmpty { return .restoring }
        if let delivery { return .delivering(delivery.item?.id) }
        return state.loads.keys.min().map { .loading($0) }
    }

    /// Something that the center does for the user.
    public enum Activity: Sendable, Hashable {
        /// The user is buying this item; `nil` if it is no longer in the catalog.
        case purchasing(ItemID?)
        /// Purchases are being restored.
        case restoring
        /// Content is being delivered: of this item; `nil` for a reward.
        case delivering(ItemID?)
        /// Files of this item are being loaded. See ``UnlockCenter/progress(of:)``.
        case loading(ItemID)
    }

    /// What is being delivered now.
    public var delivery: Delivery? { state.delivery }

    /// How much of an item's files is loaded; `nil` if none are being loaded.
    public func progress(of item: ItemID) -> DownloadProgress? { state.loads[item]?.progress }

    /// Why the server that guards the files of an item didn't give them out the last time; `nil` if it did, or wasn't asked.
    public func refusal(of item: ItemID) -> DownloadError.Refusal? { state.refusals[item] }

    /// The loaded products of the store, by product identifier; `nil` if the store hasn't answered yet.
    public var products: [ProductID: StoreProduct]? { state.products }

    /// Whether the last attempt to load the products failed. Products that were loaded earlier are kept.
    public var isOffline: Bool { state.isOffline }

    let store: any PurchaseStore
    let loader: CatalogLoader?
    let book: Book
    let downloads: any ContentLoader
    let deliver: Deliver
    let observers = Observers()
    let clock: DeviceClock
    private(set) var appActivity: (any AppActivity)?
    let paidBefore: PaidBefore?

    /// The items that this edition includes and sells.
    var assortment: Assortment
    /// The catalog whose rejections were reported.
    var reported: (revision: Int, rejections: [WrongMember])?

    // For UnlockCenter+Performing.swift
    var state: ShopState
    /// What is still to be performed, in order.
    var effects: [ShopState.Effect] = []
    /// The calls that wait for a reply.
    var calls: [Int: CheckedContinuation<ShopState.Reply, Never>] = [:]
    var lastCall = 0
    /// Where the user has tapped, by call.
    var places: [Int: PurchasePlace] = [:]
    var timer = WakeTimer()
    var listeners: [Task<Void, Never>] = []

    /// The loads of files, by question.
    var loads: [Int: Task<Void, Never>] = [:]

    /// Creates a center. ``start()`` opens its folder.
    ///
    /// - Parameters:
    ///   - store: The App Store, or a script.
    ///   - catalog: The catalog in the app. With a loader, pass its ``CatalogLoader/current`` one.
    ///   - loader: Loads newer catalogs from the web, at ``start()`` and at each ``refresh()``; `nil` if the catalog
    ///     changes only with the app.
    ///   - folder: The folder for the journal and for the app's downloads, such as one in *Application Support*.
    ///     Nothing else may use it. Call it `Unlocks`: under another name, a package of `DataHandoff` can replace its files.
    ///   - context: The app that shows the shop.
    ///   - paidBefore: The rule for users who bought the app before it became free; `nil` if it was never paid.
    ///   - appIdentifier: The app's bundle identifier. Transactions of other apps don't count. `nil` accepts all
    ///     transactions.
    ///   - clock: The device's clock.
    ///   - downloads: Loads the files that the catalog names for its items.
    ///   - deliver: Delivers content, once the files of the item are in the folder. Omit it if all content is in the app or
    ///     among these files.
    public convenience init(
        store: any PurchaseStore,
        catalog: ShopCatalog,
        loader: CatalogLoader? = nil,
        folder: URL,
        context: ShopContext,
        paidBefore: PaidBefore? = nil,
        appIdentifier: String? = nil,
        clock: DeviceClock = .system,
        downloads: ContentDownloads = ContentDownloads(),
        deliver: @escaping Deliver = { _ in }
    ) {
        self.init(
            store: store,
            catalog: catalog,
            loader: loader,
            storage: DiskStorage(folder),
            context: context,
            paidBefore: paidBefore,
            appIdentifier: appIdentifier,
            clock: clock,
            downloads: downloads,
            deliver: deliver
        )
        #if (canImport(UIKit) && !os(tvOS) && !os(watchOS)) || canImport(AppKit)
        appActivity = SystemActivity()
        #endif
    }

    package init(
        store: any PurchaseStore,
        catalog: ShopCatalog,
        loader: CatalogLoader? = nil,
        storage: any UnlocksStorage,
        context: ShopContext,
        paidBefore: PaidBefore? = nil,
        appIdentifier: String? = nil,
        clock: DeviceClock,
        activity: (any AppActivity)? = nil,
        downloads: any ContentLoader = ContentDownloads(),
        deliver: @escaping Deliver
    ) {
        self.store = store
        self.catalog = catalog
        self.loader = loader
        book = Book(storage, clock: clock)
        self.context = context
        self.paidBefore = paidBefore
        self.clock = clock
        state = ShopState(for: appIdentifier)
        self.downloads = downloads
        self.deliver = deliver
        appActivity = activity
        assortment = Assortment(catalog, edition: context.edition)
        book.configure { $0.allowances = assortment.allowances }
        book.didWrite = { [weak self] in self?.send(.wrote) }
        book.didFail = { [weak self] in self?.send(.notSaved($0)) }
        followEnvironment()
    }

    deinit {
        for task in listeners { task.cancel() }
        for load in loads.values { load.cancel() }
        timer.cancel()
    }
}

// MARK: - From launch to the end

extension UnlockCenter {
    /// Opens the folder, starts listening to the store, asks it for the user's purchases, and makes outstanding
    /// deliveries.
    ///
    /// Call it when the app launches, once ``onProblem`` is set. Calling it again does nothing. A folder that can't be
    /// opened is reported as ``UnlocksProblem/notOpened(_:)``.
    public func start() { send(.started) }
}

import Foundation
import Unlocks

/// The store's side of all purchases, which outlives the app's process.
@MainActor
final class SimulatedStore: PurchaseStore {
    struct Unreachable: Error {}

    /// What the store remembers, for all processes of the app.
    final class Records {
        fileprivate(set) var statements: [StoreStatement] = []
        fileprivate(set) var unfinished: Set<String> = []
        fileprivate(set) var finished: [String] = []
        /// Those that the store has forgotten: packs that were finished.
        fileprivate var forgotten: Set<String> = []
    }

    let records: Records
    private var listeners: [AsyncStream<StoreStatement>.Continuation] = []

    var environment: StoreEnvironment? = .production
    var canMakePayments = true
    /// The present moment by the store's clock, which the device's owner can't set. What has expired isn't listed.
    var now: @MainActor () -> Date = { .distantPast }
    /// What the store lists, if a test says so.
    var listed: [StoreStatement]?
    var isReachable = true
    /// How often the app's own purchase was asked for, and how often for a new copy of it.
    private(set) var (askedApp, appRefreshes) = (0, 0)
    /// Whether the person doesn't sign in for a new copy of the app's own purchase.
    var failsAppRefresh = false
    private(set) var askedProducts = 0
    /// Whether it says which products there are. If not, those who ask wait.
    var answersProducts = true
    private var productAskers: [CheckedContinuation<Void, Never>] = []
    private var intents: [AsyncStream<ProductID>.Continuation] = []
    private var storefronts: [AsyncStream<Void>.Continuation] = []
    /// The questions that aren't answered: those who ask wait.
    var unanswered: Set<Question> = [] {
        didSet { for question in oldValue.subtracting(unanswered) { resumeAskers(of: question) } }
    }
    private var askers: [Question: [CheckedContinuation<Void, Never>]] = [:]
    /// How often each question was asked.
    private(set) var asked: [Question: Int] = [:]

    enum Question: CaseIterable { case unfinished, entitlements, history, app, purchase, finish }
    /// What the next attempt to buy gives.
    var answer: @MainActor (ProductID) throws -> StorePurchaseResult = { _ in .cancelled }
    var app: AppPurchase?
    /// The system's own copy of it, which is there offline too.
    var appCopy: AppPurchase?
    /// The products that it knows; `nil` knows all that it is asked for.
    var products: Set<ProductID>?
    /// The group of a subscription.
    var group: @MainActor (ProductID) -> String? = { _ in nil }
    /// Whether a product is a pack, which the store forgets once it is finished.
    var isPack: @MainActor (ProductID) -> Bool = { _ in false }
    /// Of the transactions with the same text, the store lists only the latest one.
    var listsLatestOnly: @MainActor (StoreTransaction) -> String? = { _ in nil }
    /// What it says of the app's own purchase each time that it is asked.
    var makeApp: (@MainActor () -> AppPurchase?)?
    /// Called when it has told something that only a store knows.
    var hasAnswered: @MainActor () -> Void = {}
    /// Called when the app finishes a transaction, before it is, and after that.
    var willFinish: @MainActor (String) -> Void = { _ in }
    var didFinish: @MainActor (String) -> Void = { _ in }
    /// Whether the app has ended, so that what it says doesn't arrive any more.
    var isDisconnected: @MainActor () -> Bool = { false }
    private(set) var syncs = 0
    /// Called with what the app hears of purchases, when it hears it.
    var tell: @MainActor ([StoreStatement]) -> Void = { _ in }
    /// What the store lists beside the truth.
    var lies: [StoreStatement] = []
    /// Whether an answer that comes late is what it would have been at once.
    var isStale = false
    /// How often it was asked anything.
    private(set) var calls = 0
    /// The purchases that have begun and haven't ended, and the products that were sold while their purchase was underway.
    private var underway: [ProductID] = []
    private(set) var soldTwice: [ProductID] = []

    init(_ records: Records = Records()) { self.records = records }

    /// What the store says now of each transaction, in the order in which they were made.
    var statements: [StoreStatement] { records.statements }
    /// The transactions that aren't finished.
    var unfinished: Set<String> { records.unfinished }
    /// The transactions that were finished, in order.
    var finished: [String] { records.finished }

    /// Whether somebody waits for an answer.
    var isAsked: Bool { !productAskers.isEmpty || !askers.isEmpty }

    /// Adds or changes a transaction, without telling anybody.
    func record(_ statement: StoreStatement) {
        if let index = statements.firstIndex(where: { $0.id == statement.id }) {
            records.statements[index] = statement
        } else {
            records.statements.append(statement)
        }
        records.unfinished.insert(statement.id)
    }

    /// Changes a transaction, of which no feed tells.
    func recordSilently(_ statement: StoreStatement) {
        record(statement)
        records.unfinished.remove(statement.id)
    }

    /// Forgets everything that was sold.
    func forgetAll() { (records.statements, records.unfinished) = ([], []) }

    /// Tells those who listen.
    func announce(_ statement: StoreStatement) {
        if !listeners.isEmpty { tell([statement]) }
        for listener in listeners { listener.yield(statement) }
    }

    /// The process that listened has ended.
    func disconnect() {
        for listener in listeners { listener.finish() }
        for listener in intents { listener.finish() }
        for listener in storefronts { listener.finish() }
        (listeners, intents, storefronts) = ([], [], [])
        resumeProductAskers(inOrder: nil)
        for question in Question.allCases { resumeAskers(of: question) }
    }

    /// Answers those of these numbers among the questions for products that wait; `nil` is all, in their order.
    func answerProducts(inOrder order: [Int]? = nil) {
        answersProducts = true
        resumeProductAskers(inOrder: order)
    }

    private func resumeProductAskers(inOrder order: [Int]?) {
        let (waiting, order) = (productAskers, order ?? Array(productAskers.indices))
        productAskers = waiting.indices.filter { !order.contains($0) }.map { waiting[$0] }
        for number in order { waiting[number].resume() }
    }

    /// The number of questions for products that wait.
    var waitingQuestions: Int { productAskers.count }

    /// The user chooses a product outside of the app.
    func promote(_ product: ProductID) {
        for listener in intents { listener.yield(product) }
    }

    /// The user moves to another country.
    func changeStorefront() {
        for listener in storefronts { listener.yield() }
    }

    func purchaseIntents() -> AsyncStream<ProductID> {
        let (stream, continuation) = AsyncStream.makeStream(of: ProductID.self)
        intents.append(continuation)
        return stream
    }

    func storefrontChanges() -> AsyncStream<Void> {
        let (stream, continuation) = AsyncStream.makeStream(of: Void.self)
        storefronts.append(continuation)
        return stream
    }

    func products(_ identifiers: Set<ProductID>) async throws -> [StoreProduct] {
        askedProducts += 1
        calls += 1
        if !answersProducts { await withCheckedContinuation { productAskers.append($0) } }
        guard isReachable else { throw Unreachable() }
        let known = identifiers.intersection(products ?? identifiers)
        if !known.isEmpty { hasAnswered() }
        return known.sorted().map { StoreProduct(id: $0, price: "1 €", group: group($0)) }
    }

    func purchase(_ product: ProductID, in place: PurchasePlace?) async throws -> StorePurchaseResult {
        if underway.contains(product) { soldTwice.append(product) }
        underway.append(product)
        defer { if let index = underway.firstIndex(of: product) { underway.remove(at: index) } }
        let early = isStale ? Result { try answer(product) } : nil
        await waitForAnswer(to: .purchase)
        guard isReachable, !isDisconnected() else { throw Unreachable() }
        let result = try early?.get() ?? answer(product)
        if case .purchased(let statement) = result { tell([statement]) }
        return result
    }

    func updates() -> AsyncStream<StoreStatement> {
        calls += 1
        let (stream, continuation) = AsyncStream.makeStream(of: StoreStatement.self)
        listeners.append(continuation)
        return stream
    }

    /// Whether what isn't finished is signed again each time that it is listed.
    var signsAnew = false

    func unfinishedTransactions() async -> [StoreStatement] {
        for (index, statement) in statements.enumerated() where signsAnew {
            var transaction = statement.transaction
            transaction.signedDate = transaction.signedDate?.addingTimeInterval(1)
            records.statements[index] = .verified(transaction)
        }
        return await answer(.unfinished) { statements.filter { unfinished.contains($0.id) && isPresent($0) } }
    }

    private func answer(
        _ question: Question,
        _ list: @MainActor () -> [StoreStatement]
    ) async -> [StoreStatement] {
        let early = isStale ? list() : nil
        await waitForAnswer(to: question)
        let answer = (early ?? list()) + lies
        if question != .history { tell(answer) }
        if !answer.isEmpty { hasAnswered() }
        return answer
    }

    private func resumeAskers(of question: Question) {
        for asker in askers.removeValue(forKey: question) ?? [] { asker.resume() }
    }

    private func waitForAnswer(to question: Question) async {
        asked[question, default: 0] += 1
        calls += 1
        if unanswered.contains(question) { await withCheckedContinuation { askers[question, default: []].append($0) } }
    }

    func currentEntitlements() async -> [StoreStatement] {
        await answer(.entitlements) {
            if let listed { return listed }
            guard isReachable else { return [] }
            let listed = statements.filter {
                let transaction = $0.transaction
                return !transaction.isRevoked && !isPack(transaction.productID) && !records.forgotten.contains($0.id)
                    && isPresent($0) && transaction.expirationDate ?? .distantFuture > now()
            }
            return listed.enumerated().filter { number, statement in
                guard let text = listsLatestOnly(statement.transaction) else { return true }
                return !listed[(number + 1)...].contains { listsLatestOnly($0.transaction) == text }
            }.map(\.element)
        }
    }

    func allTransactions() async -> [StoreStatement] {
        await answer(.history) {
            guard isReachable else { return [] }
            return statements.filter {
                isPresent($0) && ($0.transaction.isRevoked || !records.forgotten.contains($0.id))
            }
        }
    }

    /// A store tells only of its own environment.
    private func isPresent(_ statement: StoreStatement) -> Bool {
        (statement.transaction.environment ?? environment) == environment
    }

    func finish(_ transaction: StoreTransaction) async {
        let id = transaction.id
        willFinish(id)
        await waitForAnswer(to: .finish)
        guard !isDisconnected() else { return }
        defer { didFinish(id) }
        guard statements.contains(where: { $0.transaction == transaction }), records.unfinished.remove(id) != nil
        else { return }
        records.finished.append(id)
        if isPack(transaction.productID) { records.forgotten.insert(id) }
    }

    func appPurchase(isRefresh: Bool) async throws -> AppPurchase? {
        askedApp += 1
        if isRefresh { appRefreshes += 1 }
        await waitForAnswer(to: .app)
        if !isReachable, !isRefresh, let appCopy { return appCopy }
        guard isReachable, !(isRefresh && failsAppRefresh) else { throw Unreachable() }
        let app = makeApp?() ?? app
        if app?.isVerified ?? false { hasAnswered() }
        return app
    }

    func sync() async throws {
        syncs += 1
        calls += 1
        guard isReachable else { throw Unreachable() }
    }
}

extension StoreStatement {
    var id: String { transaction.id }
}

extension AppPurchase {
    /// The app's own purchase of a version for the iPhone.
    static func onIPhone(
        _ version: String,
        id: String = "app",
        isVerified: Bool = true,
        isRevoked: Bool = false,
        environment: StoreEnvironment = .production,
        signed: Date? = nil
    ) -> AppPurchase {
        AppPurchase(
            id: id,
            isVerified: isVerified,
            isRevoked: isRevoked,
            originalPlatform: .iOS,
            originalVersion: version,
            originalPurchase: Date(timeIntervalSince1970: 0),
            environment: environment,
            signedDate: signed
        )
    }
}

#if canImport(Combine)
public import Combine
public import Foundation

/// What a person decides about an offer, and what becomes of it. `HandoffOfferView` shows it.
///
/// Keep it until the completion is called: an offer is decided once.
@MainActor
public final class HandoffOfferModel: ObservableObject, Identifiable {
    /// What the person can choose.
    public enum Choice: Sendable, Hashable {
        /// Replaces files of the same names.
        case replace
        /// Adds the files where none of the same names are.
        case add
        /// Hands the files to the app's own code.
        case merge
    }

    /// How far it is.
    public enum State: Sendable, Equatable {
        /// Waits for the person.
        case asking
        /// Takes the data.
        case working(Choice)
        /// It failed, and nothing has changed. The person can choose again.
        case failed(HandoffError)
        /// The data is taken.
        case done
        /// The person doesn't want it.
        case declined
    }

    /// How far it is.
    @Published public private(set) var state = State.asking

    /// The offer.
    public let offer: HandoffOffer

    /// The name of the app that sends, as people know it.
    public let name: String

    /// What the person can choose.
    public let choices: [Choice]

    private let take: @Sendable (Choice) async throws(HandoffError) -> HandoffReceipt
    private let completion: @MainActor (HandoffReceipt?) -> Void
    private var task: Task<Void, Never>?

    /// Creates a model that puts the files into a folder.
    ///
    /// - Parameters:
    ///   - offer: The offer.
    ///   - name: The name of the app that sends.
    ///   - destination: The folder that the files come into.
    ///   - canAdd: Whether the person can also add the files, which fails where one of the same name is.
    ///   - completion: Called once, with the receipt, or with `nil` if the person declines.
    public convenience init(
        _ offer: HandoffOffer,
        from name: String,
        into destination: URL,
        canAdd: Bool = false,
        completion: @escaping @MainActor (HandoffReceipt?) -> Void
    ) {
        self.init(offer, name, canAdd ? [.replace, .add] : [.replace], completion) { choice throws(HandoffError) in
            try await offer.install(into: destination, replacing: choice == .replace)
        }
    }

    /// Creates a model that hands the files to the app's own code.
    ///
    /// - Parameters:
    ///   - offer: The offer.
    ///   - name: The name of the app that sends.
    ///   - copy: Takes the files from a folder. If it throws, as it may when its task is cancelled, nothing counts as taken.
    ///   - completion: Called once, with the receipt, or with `nil` if the person declines.
    public convenience init(
        _ offer: HandoffOffer,
        from name: String,
        merging copy: @escaping @Sendable (_ folder: URL) async throws -> Void,
        completion: @escaping @MainActor (HandoffReceipt?) -> Void
    ) {
        self.init(offer, name, [.merge], completion) { _ throws(HandoffError) in try await offer.merge(copy) }
    }

    private init(
        _ offer: HandoffOffer,
        _ name: String,
        _ choices: [Choice],
        _ completion: @escaping @MainActor (HandoffReceipt?) -> Void,
        take: @escaping @Sendable (Choice) async throws(HandoffError) -> HandoffReceipt
    ) {
        (self.offer, self.name, self.choices) = (offer, name, choices)
        (self.completion, self.take) = (completion, take)
    }

    /// Takes the data. If that fails, it can be called again.
    public func choose(_ choice: Choice) {
        guard isOpen, choices.contains(choice) else { return }
        state = .working(choice)
        task = Task {
            do throws(HandoffError) {
                let receipt = try await take(choice)
                state = .done
                completion(receipt)
            } catch {
                state = Task.isCancelled ? .asking : .failed(error)
            }
        }
    }

    /// Cancels the task that runs the app's own code. Does nothing to an installation, which is brief and done as a whole.
    public func cancel() {
        if state == .working(.merge) { task?.cancel() }
    }

    /// Declines the offer, and removes the package.
    public func decline() {
        guard isOpen else { return }
        state = .declined
        // What can't be removed now is removed at the next launch, by recover(in:).
        task = Task { try? await offer.decline() }
        completion(nil)
    }

    private var isOpen: Bool {
        switch state {
        case .asking, .failed: true
        case .working, .done, .declined: false
        }
    }
}
#endif

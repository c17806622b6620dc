#if canImport(Combine)
public import Combine
public import Foundation

/// The user's decision about an offer, and its progress. `HandoffOfferView` shows it.
///
/// Keep the model until the completion is called: an offer is decided only once.
@MainActor
public final class HandoffOfferModel: ObservableObject, Identifiable {
    /// A choice of the user.
    public enum Choice: Sendable, Hashable {
        /// Replaces files with the same names.
        case replace
        /// Adds the files if no files with the same names exist.
        case add
        /// Passes the files to the app's own code.
        case merge
    }

    /// The progress of an offer.
    public enum State: Sendable, Equatable {
        /// The model waits for the user's decision.
        case asking
        /// The data is being installed or merged.
        case working(Choice)
        /// The choice failed, and nothing has changed. The user can choose again.
        case failed(HandoffError)
        /// The data is in the app.
        case done
        /// The user declined the offer.
        case declined
    }

    /// The current progress.
    @Published public private(set) var state = State.asking

    /// The offer.
    public let offer: HandoffOffer

    /// The name of the sending app, as users know it.
    public let name: String

    /// The available choices.
    public let choices: [Choice]

    private let perform: @Sendable (Choice) async throws(HandoffError) -> HandoffReceipt
    private let completion: @MainActor (HandoffReceipt?) -> Void
    private var task: Task<Void, Never>?

    /// Creates a model that installs the files into a folder.
    ///
    /// - Parameters:
    ///   - offer: The offer.
    ///   - name: The name of the sending app.
    ///   - destination: The folder for the files.
    ///   - canAdd: Whether the user can also add the files, which fails if a file with the same name exists.
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

    /// Creates a model that passes the files to the app's own code.
    ///
    /// - Parameters:
    ///   - offer: The offer.
    ///   - name: The name of the sending app.
    ///   - copy: Copies the files from a folder. If it throws, for example because its task is canceled, the package
    ///     doesn't count as accepted.
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
        perform: @escaping @Sendable (Choice) async throws(HandoffError) -> HandoffReceipt
    ) {
        self.offer = offer
        self.name = name
        self.choices = choices
        self.completion = completion
        self.perform = perform
    }

    /// Installs or merges the data. If that fails, you can call it again.
    public func choose(_ choice: Choice) {
        guard isOpen, choices.contains(choice) else { return }
        state = .working(choice)
        task = Task {
            do throws(HandoffError) {
                let receipt = try await perform(choice)
                state = .done
                completion(receipt)
            } catch {
                state = Task.isCancelled ? .asking : .failed(error)
            }
        }
    }

    /// Cancels the task that runs the app's own code. An installation isn't canceled, since it is brief.
    public func cancel() {
        if state == .working(.merge) { task?.cancel() }
    }

    /// Declines the offer, and removes the package.
    public func decline() {
        guard isOpen else { return }
        state = .declined
        // A package that can't be removed now is removed at the next launch, by `recover(in:)`.
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

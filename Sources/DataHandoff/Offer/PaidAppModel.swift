#if canImport(Combine)
public import Combine

/// Leads the user of the free app to the paid one. `PaidAppView` shows it.
///
/// If the paid app is installed, it is opened, and asks whether to bring the data along. Otherwise a link to its page in the App
/// Store is copied, and the page is shown: with the link, the paid app recognizes that the user comes from here. See
/// ``HandoffReceiver/suggestion(after:)``.
@MainActor
public final class PaidAppModel: ObservableObject, Identifiable {
    /// The progress of the user.
    public enum State: Sendable, Equatable {
        /// The model waits for the user.
        case ready
        /// The paid app is being opened.
        case opening
        /// The paid app isn't installed. A link was copied, and the page in the App Store is shown.
        case store
        /// The paid app was opened.
        case opened
        /// The paid app could be neither opened nor offered, for this reason. The user can try again.
        case failed(HandoffError)
    }

    /// The current progress.
    @Published public private(set) var state = State.ready

    /// Whether the page in the App Store is shown. The system sets it when the user closes the page.
    public var showsStore: Bool {
        get { state == .store }
        set { if !newValue, state == .store { state = .ready } }
    }

    /// The page of the paid app in the App Store.
    public let page: StorePage

    /// The name of the paid app, as users know it.
    public let name: String

    let clock: DeviceClock

    private let makeReferral: () throws(ReferralError) -> Referral
    private let open: @MainActor () async throws(HandoffError) -> Void
    private let copy: @MainActor (ReferralLink) async -> Void
    private let completion: @MainActor () -> Void

    /// Creates a model that opens the paid app and copies links by these closures.
    package init(
        _ page: StorePage,
        name: String,
        sender: HandoffSender,
        open: @escaping @MainActor () async throws(HandoffError) -> Void,
        copy: @escaping @MainActor (ReferralLink) async -> Void,
        completion: @escaping @MainActor () -> Void
    ) {
        self.page = page
        self.name = name
        clock = sender.clock
        self.open = open
        self.copy = copy
        self.completion = completion
        makeReferral = { () throws(ReferralError) in try sender.route.referral(timestamp: sender.clock.now()) }
    }

    /// Opens the paid app, or shows its page in the App Store. The user can call it again, such as after installing the app.
    public func get() {
        guard state != .opening else { return }
        state = .opening
        Task {
            do throws(HandoffError) {
                try await open()
                state = .opened
            } catch .otherAppMissing {
                await showStore()
            } catch .openingDeclined {
                // The user has the app, and keeps what is on the pasteboard.
                state = .ready
            } catch {
                state = .failed(error)
            }
        }
    }

    /// Ends the view.
    public func close() { completion() }

    private func showStore() async {
        do {
            await copy(try ReferralLink(page: page, referral: makeReferral()))
            state = .store
        } catch {
            state = .failed(.appFailed("\(error)"))
        }
    }
}
#endif

#if canImport(SwiftUI) && !os(tvOS) && !os(watchOS)
public import Combine
import CoreGraphics
import Foundation

/// The invitation of a user and the number of people who have come, which `InviteView` shows, and the code of somebody else, which
/// the user types into `InviteCodeField`.
@MainActor
public final class InviteModel: ObservableObject {
    /// The result of the text that the user has typed.
    public enum State: Sendable, Equatable {
        /// The user is typing.
        case typing
        /// The text isn't a code.
        case wrong(InviteCodeError)
        /// The code is the user's own.
        case own
        /// The code was accepted, and the arrival was reported.
        case accepted
    }

    /// The invitation; `nil` until it is known.
    @Published public private(set) var invitation: Invitation?

    /// The number of people who have come and reached the program's event; `nil` until it is known.
    @Published public private(set) var count: Int?

    /// The reason why there is no invitation, or why the guestbook can't be read, for a log.
    @Published public private(set) var problem: String?

    /// The text in the field. It is formatted while the user types at its end, and an address with a code in it becomes the code.
    @Published public var text = "" {
        didSet {
            guard text != oldValue else { return }
            // A property that its own observer sets doesn't call the observer again.
            let formatted = InviteCode.formatted(text, after: oldValue, referrerItem: landingPage.referrerItem)
            if formatted != text { text = formatted }
            state = .typing
            // A code that isn't complete yet isn't wrong yet.
            if case .failure(let error) = typedCode, error == .mistyped || error == .unexpectedCharacter {
                state = .wrong(error)
            }
        }
    }

    /// The result of the last text.
    @Published public private(set) var state = State.typing

    /// The QR code of the invitation.
    private(set) var qrCode: CGImage?

    private let center: InviteCenter
    private let landingPage: LandingPage
    private let program: String
    private let destination: String?
    private let onArrival: @MainActor (Arrival) -> Void
    private var isSubmitting = false

    /// Creates a model.
    ///
    /// - Parameters:
    ///   - center: The app's center.
    ///   - landingPage: The page to which the invitation leads.
    ///   - program: The name of the program whose people are counted.
    ///   - destination: A path in the app, such as `/boards/42`.
    ///   - onArrival: Called once the user has typed a code. The arrival's road is `typed`. Handle it like one that the bridge reports.
    public init(
        _ center: InviteCenter,
        landingPage: LandingPage,
        program: String,
        destination: String? = nil,
        onArrival: @escaping @MainActor (Arrival) -> Void = { _ in }
    ) {
        self.center = center
        self.landingPage = landingPage
        self.program = program
        self.destination = destination
        self.onArrival = onArrival
    }

    /// Makes the invitation, reads the guestbook, and then follows the entries until the task is canceled.
    public func load() async {
        do {
            let referrer = if let name = center.ownReferrer { name } else { try await center.code().text }
            let new = try Invitation(landingPage: landingPage, referrer: referrer, destination: destination)
            if new != invitation { qrCode = new.qrCode() }
            (invitation, problem) = (new, nil)
        } catch {
            problem = "\(error)"
        }
        let updates = await center.entryUpdates()
        async let reading: Void = read()
        for await entries in updates { count = entries.count { $0.program == program } }
        await reading
    }

    private func read() async {
        do { try await center.readEntries() } catch { problem = "\(error)" }
    }

    /// Whether there is a text that the user can submit.
    public var canSubmit: Bool { state == .typing && !text.isEmpty }

    /// Checks the code that the user has typed, and reports the arrival once.
    public func submit() async {
        guard canSubmit, !isSubmitting else { return }
        isSubmitting = true
        defer { isSubmitting = false }
        switch typedCode {
        case .failure(let error): state = .wrong(error)
        case .success(let code):
            let submitted = text
            let isOwn = await center.isOwn(code.text)
            // The user may have gone on typing.
            guard submitted == text else { return }
            guard !isOwn else { return state = .own }
            // A code is always a valid referrer, and a clock before 1973 gives no arrival.
            guard let referral = try? Referral(referrer: code.text, timestamp: center.clock.now()) else { return }
            state = .accepted
            onArrival(Arrival(referral, road: .typed))
        }
    }

    private var typedCode: Result<InviteCode, InviteCodeError> {
        Result { () throws(InviteCodeError) in
            try InviteCode(pasting: text, referrerItem: landingPage.referrerItem)
        }
    }
}
#endif

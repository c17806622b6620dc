#if canImport(Combine)
public import Combine
import Foundation

/// The text that a user types as the code of somebody else. `InviteCodeField` shows it.
@MainActor
public final class InviteCodeModel: ObservableObject {
    /// The result of the last text.
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

    /// The text in the field. It is formatted while the user types at its end, and an address or a text with a code in it becomes the
    /// code.
    @Published public var text = "" {
        didSet {
            guard text != oldValue else { return }
            // A property that its own observer sets doesn't call the observer again.
            let formatted = InviteCode.formatted(text, after: oldValue, referrerItem: referrerItem)
            if formatted != text { text = formatted }
            state = .typing
            // A code that isn't complete yet isn't wrong yet.
            if let mistake, mistake == .mistyped || mistake == .unexpectedCharacter { state = .wrong(mistake) }
        }
    }

    /// The result of the last text.
    @Published public private(set) var state = State.typing

    private let center: InviteCenter
    private let referrerItem: String
    private let clock: DeviceClock
    private let onArrival: @MainActor (Arrival) -> Void
    private var isSubmitting = false

    /// Creates a model.
    ///
    /// - Parameters:
    ///   - center: Knows the user's own codes.
    ///   - referrerItem: The query item with the code, in an address that the user pastes.
    ///   - clock: Gives the time of the arrival.
    ///   - onArrival: Called with the arrival, whose road is `typed`. Handle it like an arrival that the bridge reports.
    public init(
        _ center: InviteCenter,
        referrerItem: String = "ref",
        clock: DeviceClock = .system,
        onArrival: @escaping @MainActor (Arrival) -> Void
    ) {
        self.center = center
        self.referrerItem = referrerItem
        self.clock = clock
        self.onArrival = onArrival
    }

    /// Whether there is a text that the user can submit.
    public var canSubmit: Bool { state == .typing && !text.isEmpty }

    /// Checks the code, and reports the arrival once.
    public func submit() async {
        guard canSubmit, !isSubmitting else { return }
        isSubmitting = true
        defer { isSubmitting = false }
        do throws(InviteCodeError) {
            let submitted = text
            let code = try InviteCode(pasting: submitted, referrerItem: referrerItem)
            let isOwn = await center.isOwn(code.text)
            // The user may have gone on typing.
            guard submitted == text else { return }
            guard !isOwn else { return state = .own }
            // A code is always a valid referrer, and a clock before 1973 gives no arrival.
            guard let referral = try? Referral(referrer: code.text, timestamp: clock.now()) else { return }
            state = .accepted
            onArrival(Arrival(referral, road: .typed))
        } catch {
            state = .wrong(error)
        }
    }

    private var mistake: InviteCodeError? {
        do throws(InviteCodeError) { _ = try InviteCode(pasting: text, referrerItem: referrerItem) } catch {
            return error
        }
        return nil
    }
}
#endif

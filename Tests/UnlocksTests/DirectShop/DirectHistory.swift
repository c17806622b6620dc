import SimulatedRuntime

@testable import Unlocks

/// What happens to the state of a shop, one event after the other.
struct DirectHistory: Hashable {
    /// Whether the store dates its signatures.
    var hasDates = true
    /// Whether the app was paid once, so that its own purchase is asked for.
    var asksForApp = false
    /// What happens at the end, when things work again. Without a launch, what was slow or silent goes on at last.
    var ending = Ending.launch
    /// Whether each answer comes twice.
    var answersTwice = false
    /// Whether what the store hasn't answered then is never answered.
    var endsSilently = false
    var events: [Event]

    enum Event: Hashable {
        case launch
        /// The app ends without a word.
        case end
        /// The app ends before it hears one of the next answers, which has happened on the disk or hasn't.
        case endBeforeAnswer(Int, hasHappened: Bool)
        case wait(Double)
        /// The person returns to the app after a month.
        case month
        case buy(String, Answer)
        case approve
        case buyElsewhere(String)
        /// A transaction is refunded. The app may hear of it or not.
        case refund(Int, isAnnounced: Bool)
        case reverseRefund(Int, isAnnounced: Bool)
        /// The store repeats what it said of a transaction, now or before.
        case `repeat`(Int, isOld: Bool)
        case forge(Int)
        /// A subscription is renewed. If it isn't announced, the app may find it among what is unfinished, or not even there.
        case renew(isAnnounced: Bool, isUnfinished: Bool)
        /// The list of what the user has lacks a transaction, which its history has.
        case lack(Int)
        /// The store signs what it said once more.
        case sign(Int, isAnnounced: Bool)
        case works(Part, Bool)
        /// Each answer takes so many seconds.
        case takes(Part, Double)
        /// Whether an answer that comes late is what it would have been at once.
        case stale(Bool)
        case catalog(Version)
        /// What the server that guards files says from now on; `nil` if it gives them out.
        case guards(DownloadError?)
        case claim(String)
        case reach
        case refresh
        case restore
        case reset
        case activate
        case loseContent
        /// The device starts, and launches the app before it is unlocked.
        case launchLocked
        case unlockDevice
        /// Another build is installed over this one.
        case install(StoreEnvironment)
    }

    enum Ending: CaseIterable {
        case launch, refresh
        /// Only time passes.
        case pause
    }

    enum Answer: Hashable { case bought, pending, cancelled, fails }

    /// A part of the outside. Without a sale, the store lists no products, and says no error.
    enum Part: Hashable, CaseIterable { case disk, lists, products, sale, app, finish, purchase, delivery, files }

    enum Version: Int, CaseIterable { case whole, older, more }

    /// What a server that guards files may say. What it gives may have expired, or be nothing.
    static let guardAnswers: [DownloadError?] =
        ["proof", "app", "environment", "product", "expired", "refunded", "refunded", "limit"].map { reason in
            DownloadError.Refusal(rawValue: reason).map(DownloadError.refused)
        } + [nil, nil, nil, .expiredAddress, .noAddress, .status(403), .unreachable(reason: "offline")]

    static let products = ["gold", "everything", "hints", "pro"]
}

extension DirectHistory {
    /// The history of a seed, always the same one.
    init(seed: UInt64) {
        var random = SeededGenerator(state: seed)
        hasDates = Int.random(in: 0..<8, using: &random) > 0
        asksForApp = Int.random(in: 0..<4, using: &random) == 0
        ending = Ending.allCases.randomElement(using: &random) ?? .launch
        answersTwice = Int.random(in: 0..<8, using: &random) == 0
        endsSilently = Int.random(in: 0..<4, using: &random) == 0
        events = Int.random(in: 0..<8, using: &random) > 0 ? [.launch] : []
        for _ in 0..<Int.random(in: 2...16, using: &random) { events.append(.random(&random)) }
    }
}

private extension DirectHistory.Event {
    static func random(_ random: inout SeededGenerator) -> Self {
        func any<Element>(_ elements: [Element]) -> Element {
            elements[Int.random(in: 0..<elements.count, using: &random)]
        }
        let number = Int.random(in: 0..<8, using: &random)
        let isYes = Bool.random(using: &random)
        switch Int.random(in: 0..<190, using: &random) {
        case ..<10: return .launch
        case ..<13: return .end
        case ..<22: return .endBeforeAnswer(Int.random(in: 0..<12, using: &random), hasHappened: isYes)
        case ..<31: return .wait(any([0.5, 1, 3, 31, 60, 4_000, 90_000, 170_000, 700_000]))
        case ..<55: return .buy(any(DirectHistory.products), any([.bought, .bought, .pending, .cancelled, .fails]))
        case ..<58: return .approve
        case ..<61: return .buyElsewhere(any(DirectHistory.products))
        case ..<67: return .refund(number, isAnnounced: isYes)
        case ..<71: return .reverseRefund(number, isAnnounced: isYes)
        case ..<75: return .repeat(number, isOld: isYes)
        case ..<77: return .forge(number)
        case ..<80: return .renew(isAnnounced: number < 2, isUnfinished: isYes)
        case ..<82: return .sign(number, isAnnounced: isYes)
        case ..<83: return .lack(number)
        case ..<95: return .works(any([.disk, .lists, .products, .sale, .app, .purchase, .delivery, .files]), isYes)
        case ..<107: return .takes(any(DirectHistory.Part.allCases), any([0, 0, 0.1, 2, 40, 5_000, 1e9]))
        case ..<109: return .stale(isYes)
        case ..<115: return .catalog(any(DirectHistory.Version.allCases))
        case ..<119: return .claim(any(["anna", "ben", "me"]))
        case ..<121: return .reach
        case ..<124: return .refresh
        case ..<127: return .restore
        case ..<129: return .reset
        case ..<132: return .activate
        case ..<134: return .loseContent
        case ..<139: return .launchLocked
        case ..<142: return .unlockDevice
        case ..<145: return .install(any([.production, .sandbox]))
        case ..<168: return .guards(any(DirectHistory.guardAnswers))
        case ..<178: return .month
        default: return .buy(any(DirectHistory.products), .bought)
        }
    }
}

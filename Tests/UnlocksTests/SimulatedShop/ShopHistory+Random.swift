import SimulatedRuntime
import Unlocks

extension ShopHistory {
    /// The history of a seed, always the same one.
    init(seed: UInt64) {
        var random = SeededGenerator(state: seed)
        hasDates = Int.random(in: 0..<8, using: &random) > 0
        asksForApp = Int.random(in: 0..<4, using: &random) == 0
        isObserved = Int.random(in: 0..<4, using: &random) == 0
        endsWithLaunch = Bool.random(using: &random)
        events = Bool.random(using: &random) ? [.launch] : []
        for _ in 0..<Int.random(in: 2...16, using: &random) { events.append(.random(&random)) }
    }
}

private extension ShopHistory.Event {
    static func random(_ random: inout SeededGenerator) -> Self {
        func any<Element>(_ elements: [Element]) -> Element {
            elements[Int.random(in: 0..<elements.count, using: &random)]
        }
        let number = Int.random(in: 0..<8, using: &random)
        let isYes = Bool.random(using: &random)
        switch Int.random(in: 0..<275, using: &random) {
        case ..<12: return .launch
        case ..<16: return .end
        case ..<24: return .endAt(.random(&random))
        case ..<33: return .wait(any([0.5, 1, 3, 31, 60, 4_000, 90_000, 170_000, 700_000]))
        case ..<60:
            return .buy(any(ShopHistory.products + ["starter"]), any([.bought, .bought, .pending, .cancelled, .fails]))
        case ..<63: return .approve
        case ..<64: return .decline
        case ..<67: return .buyElsewhere(any(ShopHistory.products))
        case ..<73: return .refund(number, isAnnounced: isYes)
        case ..<77: return .reverseRefund(number, isAnnounced: isYes)
        case ..<81: return .repeat(number, isOld: isYes)
        case ..<83: return .forge(number)
        case ..<85: return .renew(isNew: number > 1, isAnnounced: isYes)
        case ..<88: return .delivery(works: isYes)
        case ..<90: return .network(works: isYes)
        case ..<93: return .disk(works: isYes)
        case ..<97: return .catalog(any(ShopHistory.Version.written + [.whole, .older]))
        case ..<99: return .setClock(any(clockErrors))
        case ..<103: return .spend(any([1, 4, 10, 25]), of: "hint")
        case ..<106: return .claim(any(["anna", "ben", "me"]))
        case ..<108: return .reach
        case ..<110: return .refresh
        case ..<111: return .restore
        case ..<113: return .reset
        case ..<115: return .loseContent
        case ..<118: return .activate
        case ..<120: return .promote(any(ShopHistory.products), any([.bought, .pending, .cancelled, .fails]))
        case ..<123: return .install(any([.production, .production, .sandbox, .xcode]))
        case ..<125: return .launchLocked
        case ..<127: return .unlockDevice
        case ..<129: return .productsLate
        case ..<132: return .productsArrive(lastFirst: isYes)
        case ..<137: return .deliveryTakes(any([0, 0.5, 2, 50, 5_000, 1e9]))
        case ..<143: return .diskTakes(any([0, 0, 0, 0.1, 2, 40, 5_000, 1e9]))
        case ..<149: return .silence(any(SimulatedStore.Question.allCases), isStale: isYes)
        case ..<152: return .answers
        case ..<156: return .lies(isYes)
        case ..<158: return .buyAbsurdly(number)
        case ..<162: return .spendTwice(any([1, 4, 10]), any([4, 7, 10]))
        case ..<166: return .other(isLaunched: isYes)
        case ..<168: return .removeJournal
        case ..<170: return .damage(Int.random(in: 0..<2_000, using: &random))
        case ..<178: return .spend(any([1, 1, 2, 4]), of: any(["board", "board", "export", "hint"]))
        case ..<182: return .setClock(any(clockErrors))
        case ..<185: return .sign(number, isAnnounced: isYes)
        case ..<188: return .invite(any([1, 2, 3]), from: number)
        case ..<207: return .server(any(manners), times: any([1, 1, 2, 4, 40]))
        case ..<215: return .serverTakes(any([0, 0.5, 4, 4, 50]))
        case ..<217: return .serverChanges
        case ..<221: return .downloadAgain(any(["gold-pack", "pro", "starter", "pass"]))
        case ..<224: return .catalog(any(ShopHistory.Version.written + [.whole, .more, .other]))
        case ..<234: return .wait(any([0.5, 1, 3, 31, 60, 200, 4_000]))
        case ..<240: return .renew(isNew: number > 1, isAnnounced: isYes)
        case ..<243: return .buy("pro", .bought)
        case ..<258: return .guards(any(DirectHistory.guardAnswers), times: any([1, 1, 2, 4, 40]))
        case ..<265: return .month
        case ..<270: return .buy("gold", .bought)
        default: return .buy(any(["pass", "day", "taste"]), .bought)
        }
    }

    private static let manners: [SimulatedWeb.Manner] = [
        .breaksOff, .breaksOff, .silent, .offline, .wrongLength, .wrongBytes, .status(404),
        .status(503), .status(500),
    ]

    /// By how many seconds a clock is wrong: seconds, somewhat less and more than two days, and a year.
    private static let clockErrors: [Double] = [
        0, 0, 3, -3, 7_000, 90_000, 172_000, -172_000, 200_000, -200_000, 3e7, -3e7,
    ]
}

private extension ShopHistory.Moment {
    static func random(_ random: inout SeededGenerator) -> Self {
        switch Int.random(in: 0..<11, using: &random) {
        case 10: return .install(Int.random(in: 0..<5, using: &random))
        case ..<5:
            let bytes = [0, 1, 17, 40, .max].randomElement(using: &random) ?? 0
            // The files of one item take up to 20 writes.
            let most = Bool.random(using: &random) ? 4 : 20
            return .write(Int.random(in: 0..<most, using: &random), after: bytes)
        case 5: return .beforeContent
        case 6: return .afterContent
        case 7: return .purchase
        case 8: return .beforeFinish
        default: return .afterFinish
        }
    }
}

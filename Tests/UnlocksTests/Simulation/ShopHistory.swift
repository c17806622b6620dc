import Foundation
import Simulation

/// What happens to a shop, one event after the other.
struct ShopHistory: Hashable {
    /// Whether the store dates its statements.
    var hasDates: Bool
    var events: [Event]

    enum Event: Hashable {
        case launch
        /// The app is ended without a word.
        case end
        /// The app is ended at a moment of its work, the next time that it comes there.
        case endAt(Moment)
        case wait(Double)
        case buy(String, Answer)
        case approve
        case decline
        case buyElsewhere(String)
        /// A transaction is refunded or leaves with the family. The app may hear of it or not.
        case refund(Int, isAnnounced: Bool)
        case reverseRefund(Int, isAnnounced: Bool)
        /// The store repeats what it said of a transaction, now or before.
        case `repeat`(Int, isOld: Bool)
        case forge(Int)
        case renew(isAnnounced: Bool)
        case delivery(works: Bool)
        case network(works: Bool)
        /// The store answers questions for products late, or answers those that wait: the first or the last one first.
        case productsLate
        case productsArrive(lastFirst: Bool)
        case disk(works: Bool)
        case catalogue(isWhole: Bool)
        case setClock(Double)
        case spend(Int)
        case claim(String)
        case reach
        case refresh
        case restore
        case reset
        /// The content of everything is gone, as after a restore from a backup.
        case loseContent
        /// The person returns to the app.
        case activate
        /// The person chooses a product on the App Store's page.
        case promote(String, Answer)
        /// Another build is installed over this one: from TestFlight, or from the App Store.
        case install(isTestFlight: Bool)
        /// The device starts, and launches the app before it is unlocked.
        case launchLocked
        case unlockDevice
    }

    enum Answer: Hashable { case bought, pending, cancelled, fails }

    enum Moment: Hashable {
        case write(Int, after: Int)
        case beforeContent
        case afterContent
        case purchase
        case beforeFinish
        case afterFinish
    }

    static let products = ["gold", "everything", "hints", "pro"]
}

extension ShopHistory {
    /// The history of a seed, always the same one.
    init(seed: UInt64) {
        var random = SeededGenerator(state: seed)
        hasDates = Int.random(in: 0..<8, using: &random) > 0
        events = Bool.random(using: &random) ? [.launch] : []
        for _ in 0..<Int.random(in: 2...20, using: &random) { events.append(.random(&random)) }
    }

    /// A shorter history on which the same holds, found by leaving events out.
    @MainActor
    func shrunk(_ fails: @MainActor (ShopHistory) -> Bool) -> ShopHistory {
        var shortest = self
        var index = 0
        while index < shortest.events.count {
            var candidate = shortest
            candidate.events.remove(at: index)
            // What could be left out before may need what is left out now, so it begins again.
            if fails(candidate) { (shortest, index) = (candidate, 0) } else { index += 1 }
        }
        return shortest
    }
}

private extension ShopHistory.Event {
    static func random(_ random: inout SeededGenerator) -> Self {
        func any<Element>(_ elements: [Element]) -> Element {
            elements[Int.random(in: 0..<elements.count, using: &random)]
        }
        let number = Int.random(in: 0..<8, using: &random)
        let isYes = Bool.random(using: &random)
        switch Int.random(in: 0..<132, using: &random) {
        case ..<12: return .launch
        case ..<16: return .end
        case ..<24: return .endAt(.random(&random))
        case ..<30: return .wait(any([1, 3, 60, 4_000, 90_000]))
        case ..<60:
            return .buy(any(ShopHistory.products + ["starter"]), any([.bought, .bought, .pending, .cancelled, .fails]))
        case ..<63: return .approve
        case ..<64: return .decline
        case ..<67: return .buyElsewhere(any(ShopHistory.products))
        case ..<73: return .refund(number, isAnnounced: isYes)
        case ..<77: return .reverseRefund(number, isAnnounced: isYes)
        case ..<81: return .repeat(number, isOld: isYes)
        case ..<83: return .forge(number)
        case ..<85: return .renew(isAnnounced: isYes)
        case ..<88: return .delivery(works: isYes)
        case ..<90: return .network(works: isYes)
        case ..<93: return .disk(works: isYes)
        case ..<96: return .catalogue(isWhole: isYes)
        case ..<98: return .setClock(any([-200_000, 200_000, 0]))
        case ..<102: return .spend(any([1, 4, 10, 25]))
        case ..<105: return .claim(any(["anna", "ben", "me"]))
        case ..<107: return .reach
        case ..<109: return .refresh
        case ..<110: return .restore
        case ..<112: return .reset
        case ..<114: return .loseContent
        case ..<117: return .activate
        case ..<119: return .promote(any(ShopHistory.products), any([.bought, .pending, .cancelled, .fails]))
        case ..<122: return .install(isTestFlight: isYes)
        case ..<124: return .launchLocked
        case ..<126: return .unlockDevice
        case ..<129: return .productsLate
        default: return .productsArrive(lastFirst: isYes)
        }
    }
}

private extension ShopHistory.Moment {
    static func random(_ random: inout SeededGenerator) -> Self {
        switch Int.random(in: 0..<10, using: &random) {
        case ..<5:
            let bytes = [0, 1, 17, 40, .max].randomElement(using: &random) ?? 0
            return .write(Int.random(in: 0..<4, using: &random), after: bytes)
        case 5: return .beforeContent
        case 6: return .afterContent
        case 7: return .purchase
        case 8: return .beforeFinish
        default: return .afterFinish
        }
    }
}

extension ShopHistory: CustomStringConvertible {
    /// Swift that makes the same history again.
    var description: String {
        "ShopHistory(hasDates: \(hasDates), events: [\n" + events.map { "    .\($0)," }.joined(separator: "\n") + "\n])"
    }
}

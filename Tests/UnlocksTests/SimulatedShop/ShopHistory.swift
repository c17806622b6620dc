import Foundation
import Unlocks

/// What happens to a shop, one event after the other.
struct ShopHistory: Hashable {
    /// Whether the store dates its signatures.
    var hasDates = true
    /// Whether the app asks for its own purchase, which the store signs anew each time.
    var asksForApp = false
    /// Whether something observes the states.
    var isObserved = false
    /// Whether the app is launched again at the end. If not, what was slow or silent goes on at last.
    var endsWithLaunch = true
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
        /// A subscription is renewed: with a transaction of its own, as the App Store does, or with a later end.
        case renew(isNew: Bool, isAnnounced: Bool)
        /// The store signs what it said of a transaction once more.
        case sign(Int, isAnnounced: Bool)
        case delivery(works: Bool)
        case network(works: Bool)
        /// A delivery takes so many seconds.
        case deliveryTakes(Double)
        /// Each use of the disk takes so many seconds; 0 lets other tasks run.
        case diskTakes(Double)
        /// The store doesn't answer a question any more. What it says once it does is what it would have said at once, or
        /// what is true then.
        case silence(SimulatedStore.Question, isStale: Bool)
        case answers
        /// The store lists what isn't true beside the truth.
        case lies(Bool)
        /// A purchase whose quantity or dates nobody expects.
        case buyAbsurdly(Int)
        /// The store answers questions for products late, or answers those that wait: the first or the last one first.
        case productsLate
        case productsArrive(lastFirst: Bool)
        case disk(works: Bool)
        case catalog(ShopHistory.Version)
        case setClock(Double)
        case spend(Int, of: UnlockID)
        case spendTwice(Int, Int)
        /// Entries of a guestbook: of so many people, from a number on.
        case invite(Int, from: Int)
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
        /// Another build is installed over this one: from Xcode, from TestFlight, or from the App Store.
        case install(StoreEnvironment)
        /// The device starts, and launches the app before it is unlocked.
        case launchLocked
        case unlockDevice
        /// Another process of the app is launched on the same folder, or ended.
        case other(isLaunched: Bool)
        /// Something removes the journal.
        case removeJournal
        /// A byte of the journal changes while no app runs.
        case damage(Int)
        /// What happens to so many requests for files.
        case server(SimulatedWeb.Manner, times: Int)
        /// The server's answer takes so many seconds.
        case serverTakes(Double)
        /// The server's files are written again, and the line doesn't continue what was loaded of them.
        case serverChanges
        case downloadAgain(ItemID)
        /// What the server that guards files says to so many requests: an error, or `nil` for addresses that soon expire.
        case guards(DownloadError?, times: Int)
        /// The person returns to the app after a month.
        case month
    }

    /// A catalog.
    enum Version: Hashable {
        case whole
        /// It knows gold alone.
        case older
        /// Its items open more than those of the whole one.
        case more
        /// Its items open something else.
        case other
        /// It has a second item for a product.
        case twice
        /// What lasts comes in doses, and the other way round, and there are very many.
        case otherKinds

        /// Those that are written here.
        static let written: [Self] = [.whole, .older, .more, .other, .twice, .otherKinds]
    }

    enum Answer: Hashable { case bought, pending, cancelled, fails }

    enum Moment: Hashable {
        case write(Int, after: Int)
        /// Before one of the files gets its place.
        case install(Int)
        case beforeContent
        case afterContent
        case purchase
        case beforeFinish
        case afterFinish
    }

    static let products = ["gold", "everything", "hints", "pro", "pass", "pass", "day", "taste"]
    /// The products for some days, and what they open.
    static let terms: [ProductID: UnlockID] = ["pass": "lounge", "day": "lounge", "taste": "studio"]
}

extension ShopHistory.Event {
    /// Whether it only prepares what happens later, so that nothing has changed yet.
    var isPrepared: Bool {
        switch self {
        case .endAt, .decline, .delivery, .network, .disk, .deliveryTakes, .diskTakes, .silence, .lies, .productsLate,
            .server, .serverTakes, .serverChanges, .guards:
            true
        default: false
        }
    }
}

extension ShopHistory: CustomStringConvertible {
    /// Swift that makes the same history again.
    var description: String {
        let lines = events.map { event in
            let text = "\(event)".replacing("UnlocksTests.ShopHistory.", with: "ShopHistory.")
            let short = ["SimulatedStore.", "SimulatedWeb."].reduce(text) { text, name in
                text.replacing("UnlocksTests.\(name)", with: name)
            }
            return "    .\(short),"
        }
        return """
            ShopHistory(hasDates: \(hasDates), asksForApp: \(asksForApp), \
            isObserved: \(isObserved), endsWithLaunch: \(endsWithLaunch), events: [
            \(lines.joined(separator: "\n"))
            ])
            """
    }
}

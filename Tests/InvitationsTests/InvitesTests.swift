import Foundation
import SimulatedRuntime
import TestSupport
import Testing

@testable import ReferralBasics
@testable import ReferralInvitations

/// What `handle` does, without a center around it.
struct InvitesTests {
    @Test("a doubled answer, and one to a question that isn't open, change nothing")
    func foreignAnswers() {
        var invites = RandomInvites.invites()
        let moment = RandomInvites.moment()
        _ = invites.handle(.opened(.success(nil)), at: moment)
        _ = invites.handle(.saved(1, nil), at: moment)
        let before = invites
        let foreign: [Invites.Event] = [
            .opened(.success(nil)), .saved(1, nil), .saved(9, .folderInUse), .keptAside(9, nil),
            .purchaseDate(9, moment.now),
            .sharedCodes(9, "4F7K-9Q2M-XRKQ"), .signed(9, nil), .page(9, .success(GuestbookPage([], cursor: "a"))),
            .myself(9, .success("_anna")),
        ]
        for event in foreign {
            #expect(invites.handle(event, at: moment).isEmpty, "\(event)")
            #expect(invites == before, "\(event)")
        }
    }

    @Test("calls are answered with the reason why a new file can't be saved")
    func unsavedFile() {
        var invites = RandomInvites.invites()
        let moment = RandomInvites.moment()
        #expect(invites.handle(.opened(.success(nil)), at: moment).count == 1)
        #expect(invites.handle(.saved(1, .storage("full")), at: moment) == [])
        let answer = invites.handle(.started(call: 1), at: moment)
        #expect(answer == [.resume(call: 1, .failure(.storage("full")))])
    }

    @Test("names of events and referrers have up to 256 bytes")
    func longestNames() {
        let moment = RandomInvites.moment()
        for (length, isSaved) in [(256, true), (257, false)] {
            var invites = RandomInvites.invites()
            _ = invites.handle(.opened(.success(nil)), at: moment)
            _ = invites.handle(.saved(1, nil), at: moment)
            let name = String(repeating: "x", count: length)
            for event in [Invites.Event.arrived(call: 1, referrer: name), .reached(call: 2, event: name)] {
                let names = invites.handle(event, at: moment).map { TestSupport.name(ofCase: $0) }
                #expect(names == [isSaved ? "save" : "resume"])
            }
        }
    }

    @Test("a guestbook whose pages never end is asked for 1,000 of them for each of the user's names")
    func endlessPages() throws {
        var invites = RandomInvites.invites()
        invites.ownReferrer = "anna"
        let (code, moment) = (try InviteCode("4F7K-9Q2M-XRKQ"), RandomInvites.moment())
        var pages = 0
        for event in [Invites.Event.opened(.success(nil)), .codeAsked(call: 1, new: code), .readingAsked(call: 2)] {
            var effects = invites.handle(event, at: moment)
            while !effects.isEmpty, pages < 3_000 {
                switch effects.removeFirst() {
                case .save(let number, _): effects += invites.handle(.saved(number, nil), at: moment)
                case .page(let number, _, _):
                    pages += 1
                    let page = GuestbookPage([], cursor: "\(pages)", isLast: false)
                    effects += invites.handle(.page(number, .success(page)), at: moment)
                default: break
                }
            }
        }
        #expect(pages == 2_000 && invites.reading == nil)
    }
}

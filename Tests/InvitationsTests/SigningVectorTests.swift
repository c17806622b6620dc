import Foundation
import ReferralBridge
import ReferralInvitations
import SimulatedRuntime
import TestSupport
import Testing

/// A guestbook that answers what a case says, and notes what it was asked to sign.
private actor ScriptedGuestbook: Guestbook {
    var step: InviteVectors.Signing.Step?
    private(set) var asked: [GuestbookEntry] = []
    private(set) var isWaiting = false

    func begin(_ step: InviteVectors.Signing.Step) { (self.step, isWaiting) = (step, false) }

    func sign(_ entry: GuestbookEntry) async throws(GuestbookError) -> GuestbookAnswer {
        asked.append(entry)
        switch step?.answer {
        case "signed": return .signed
        case "alreadySigned": return .alreadySigned
        case "notAllowed": throw .notAllowed("a test")
        case "notSignedIn": throw .notSignedIn
        case "offline": throw .offline
        case "retryAfter": throw .retryAfter(step?.seconds ?? 0)
        case "noAnswer":
            isWaiting = true
            // The app ends before there is an answer.
            await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in }
            throw .offline
        default:
            Issue.record("it was asked in the step \(step.map { "\($0)" } ?? "")")
            throw .offline
        }
    }

    func records(for referrer: String, after cursor: String?) async throws(GuestbookError) -> GuestbookPage {
        GuestbookPage([], cursor: nil)
    }

    func myself() async throws(GuestbookError) -> String { "_me" }
}

struct SigningVectorTests {
    @Test("what is signed is what the reference says", arguments: InviteVectors.all.signing)
    func signing(_ vector: InviteVectors.Signing) async throws {
        try await JobQueue.runToEnd {
            let (storage, guestbook) = (MemoryStorage(), ScriptedGuestbook())
            let codes = MemoryCodes(
                ([vector.mine.code].compactMap { $0 } + (vector.mine.alsoMine ?? [])).joined(separator: " ")
            )
            // No pause ends between two steps.
            let clock = TestClock(Timestamp(milliseconds: vector.firstLaunch), endsSleeps: false, uptime: { 0 })
            func launch() async throws -> InviteCenter {
                let center = InviteCenter(
                    guestbook,
                    storage,
                    programs: vector.programs.map { InviteProgram($0.program, event: $0.event) },
                    codes: codes,
                    ownReferrer: vector.mine.ownReferrer,
                    purchased: vector.purchased.map { Date(timeIntervalSince1970: $0 / 1_000) },
                    clock: clock
                )
                try await center.start()
                return center
            }
            var center = try await launch()
            await center.settled()
            for step in vector.steps {
                clock.milliseconds = step.at
                await guestbook.begin(step)
                switch (step.action, step.referrer, step.event, step.code) {
                case ("launch", _, _, _): center = try await launch()
                case ("arrival", let referrer?, _, _): try await center.record(from: referrer)
                case ("reached", _, let event?, _): try await center.recordEvent(event)
                case ("mine", _, _, let code?): codes.save(code)
                default: Issue.record("unknown step \(step)")
                }
                if step.answer == "noAnswer" {
                    await JobQueue.settle()
                    #expect(await guestbook.isWaiting)
                } else {
                    await center.settled()
                }
            }
            #expect(await guestbook.asked.map(InviteVectors.Signing.Entry.init) == vector.asked)
            #expect(try await center.pendingEntries.map(InviteVectors.Signing.Entry.init) == vector.pending)
        }
    }
}

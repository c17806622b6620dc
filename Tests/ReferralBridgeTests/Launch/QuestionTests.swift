import Foundation
import SimulatedRuntime
import Testing

@testable import ReferralBridge

/// The system asks the person, and a person may take any time, leave, or decline.
@MainActor
struct QuestionTests {
    @Test("a person may think about the system's question for as long as they like")
    func slowAnswer() {
        simulate { device in
            device.person.delay = 20_000
            device.tap()
            device.wait(290)
            let app = device.open()
            device.wait(19)
            #expect(app?.answers == [.stillReading], "the caller has its answer in time")
            #expect(device.reported == [])
            device.wait(2)
            #expect(device.reported == ["spring"], "though five minutes are over by now")
            #expect(app?.outcomes.first?.arrival?.referrer == "spring", "and the app hears how the check ended")
            #expect(device.record.lastRead?.changeCount == 1)
        }
    }

    @Test("a read that fails because the person left during the question doesn't use up the visit in which they return")
    func leftBeforeFailure() {
        simulate { device in
            device.failingAccess = .read
            device.tap()
            let app = device.open()
            device.wait(1)
            device.leave()
            device.wait(5)
            device.open()
            device.wait(10)
            #expect(device.reported == ["spring"])
            #expect(app?.reads == 2)
            #expect(app?.outcomes.count == 1, "the app isn't told of the failure")
            #expect(device.violations == [])
        }
    }

    @Test("a late refusal is remembered: four launches ask twice")
    func lateRefusal() {
        simulate { device in
            device.person = .init(answer: .decline, delay: 20_000)
            device.tap()
            var questions = 0
            for _ in 0..<4 {
                let app = device.open()
                device.wait(30)
                questions += app?.questions ?? 0
                device.terminate()
            }
            #expect(questions == 2)
            #expect(device.reported == [])
        }
    }

    @Test("an app that checks whenever it becomes active doesn't ask again when the question gives the activity back")
    func noLoop() {
        for isActiveFirst in [true, false] {
            simulate { device in
                device.person = .init(answer: .decline, isActiveFirst: isActiveFirst)
                device.tap()
                let app = device.open()
                for _ in 0..<10 {
                    device.wait(5)
                    app?.check()
                }
                #expect(app?.questions == 1)
                #expect(device.violations == [])
            }
        }
    }

    @Test("a hundred checks at once read once and are all answered in time")
    func hundredChecks() {
        simulate { device in
            device.latency = .infinity
            device.tap()
            let app = device.open(checks: false)
            for _ in 0..<100 { app?.check() }
            device.wait(10)
            #expect(app?.answers == Array(repeating: .stillReading, count: 100))
            #expect(app?.accessesUnderWay == 1)
        }
    }

    @Test("after a pasteboard that never answered the next launch begins anew")
    func neverAnswers() {
        simulate { device in
            device.latency = .infinity
            device.tap()
            device.open()
            device.wait(60)
            device.terminate()
            device.latency = 0
            device.open()
            device.wait(5)
            #expect(device.reported == ["spring"])
        }
    }

    @Test("the answer counts if the call that began the read was cancelled")
    func cancelled() {
        simulate { device in
            device.tap()
            let app = device.open(checks: false)
            let call = Task { await app?.bridge?.checkForReferralLinks() }
            JobQueue.drain()
            call.cancel()
            device.wait(5)
            #expect(device.reported == ["spring"])
        }
    }

    @Test("what waited and is finished late leaves the mark of what was read after it")
    func lateFinish() {
        simulate { device in
            device.tap()
            let app = device.open()
            app?.setListener(false)
            device.wait(5)
            device.leave()
            device.copy(.init(["https://example.com"], isLink: true))
            device.open()
            device.wait(5)
            app?.setListener(true)
            for _ in 0..<3 {
                device.leave()
                device.open()
                device.wait(5)
            }
            #expect(device.reported == ["spring"])
            #expect(app?.reads == 2)
        }
    }

    @Test("what is reported during a check isn't read again by that check")
    func reportedDuringCheck() {
        simulate { device in
            device.tap()
            let app = device.open()
            app?.setListener(false)
            device.wait(5)
            device.latency = 100
            app?.setListener(true)
            // The second activation comes while the first one's check waits for the change count.
            for _ in 0..<2 {
                app?.move(to: .inactive)
                app?.move(to: .active)
            }
            device.wait(5)
            #expect(device.reported == ["spring"])
            #expect(app?.reads == 1)
        }
    }

    @Test("a listener that is gone during the question doesn't use the tap up, and nobody is asked again")
    func listenerGone() {
        simulate { device in
            device.tap()
            let app = device.open()
            app?.setListener(false)
            device.wait(5)
            #expect(app?.outcomes.allSatisfy(\.isUnreported) == true)
            app?.setListener(true)
            device.wait(600)
            device.leave()
            device.open()
            device.wait(5)
            #expect(device.reported == ["spring"])
            #expect(app?.reads == 1)
        }
    }
}

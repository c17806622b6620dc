import Foundation
import Testing

@testable import ReferralBridge

/// When the app comes to the front, and what counts only there.
@MainActor
struct ActivationTests {
    @Test("a tap while the app is in the background is found when the app comes back, without another call")
    func comesBack() {
        simulate { device in
            let app = device.open()
            device.leave()
            device.tap()
            device.wait(10)
            device.open()
            device.wait(5)
            #expect(device.reported == ["spring"])
            #expect(app?.answers == [.noLinkDetected])
        }
    }

    @Test("an activation with an unchanged pasteboard reads nothing and asks nobody")
    func unchanged() {
        simulate { device in
            device.tap()
            let app = device.open()
            device.wait(5)
            for _ in 0..<3 {
                device.leave()
                device.open()
            }
            app?.check()
            device.wait(1)
            #expect(app?.reads == 1)
            #expect(app?.outcomes.suffix(4) == [.unchanged, .unchanged, .unchanged, .unchanged])
        }
    }

    @Test("whoever declined is asked once more when the app was covered meanwhile")
    func covered() {
        simulate { device in
            device.person.answer = .decline
            device.tap()
            let app = device.open()
            for _ in 0..<3 {
                device.wait(5)
                app?.move(to: .inactive)
                app?.move(to: .active)
            }
            device.wait(5)
            #expect(app?.questions == 2)
        }
    }

    @Test("an app that turned it off isn't checked when it becomes active")
    func noChecksAtActivation() {
        simulate { device in
            let app = device.open()
            app?.bridge?.checksAtActivation = false
            device.leave()
            device.tap()
            device.open()
            device.wait(5)
            #expect(app?.reads == 0)
            app?.check()
            device.wait(5)
            #expect(device.reported == ["spring"])
        }
    }

    @Test("a launch in the background reads and remembers nothing; the check begins in front")
    func backgroundLaunch() {
        simulate { device in
            device.tap()
            let app = device.launchInBackground()
            device.wait(60)
            #expect(app?.answers == [.waitingForActivation])
            #expect(app?.reads == 0)
            #expect(device.record == LedgerRecord())
            device.open()
            device.wait(5)
            #expect(device.reported == ["spring"])
        }
    }

    @Test("a check that waited for the app to come to the front is judged by that moment", arguments: [true, false])
    func putOff(_ checksAtActivation: Bool) {
        simulate { device in
            device.tap()
            let app = device.launchInBackground()
            app?.bridge?.checksAtActivation = checksAtActivation
            device.wait(301)
            device.open()
            device.wait(5)
            #expect(app?.reads == 1)
            #expect(device.reported == [])
        }
    }

    @Test("a probe that ended in the background doesn't count, since a pasteboard looks empty there")
    func leftDuringProbe() {
        simulate { device in
            device.latency = 100
            device.tap()
            let app = device.open(.firstLaunch)
            device.wait(0.15)
            device.leave()
            device.wait(1)
            #expect(device.record == LedgerRecord(), "and doesn't end the first launch")
            device.open()
            device.wait(5)
            #expect(device.reported == ["spring"])
            #expect(app?.outcomes.first?.arrival != nil)
        }
    }

    @Test("an app that becomes active straight from the background is checked, even if the system was asking")
    func straightFromBackground() {
        simulate { device in
            device.person.dismissesByLeaving = true
            device.tap()
            let app = device.open()
            device.wait(1)
            app?.move(to: .background)
            device.wait(10)
            app?.move(to: .active)
            device.wait(10)
            #expect(device.reported == ["spring"])
        }
    }

    @Test("a question that ends without an answer because the person left isn't counted as a refusal")
    func leftDuringQuestion() {
        simulate { device in
            device.person = .init(delay: 5_000, dismissesByLeaving: true)
            device.tap()
            for _ in 0..<4 {
                device.open()
                device.wait(1)
                device.leave()
                device.wait(10)
            }
            #expect(device.record == LedgerRecord())
            device.open()
            device.wait(6)
            #expect(device.reported == ["spring"])
        }
    }
}

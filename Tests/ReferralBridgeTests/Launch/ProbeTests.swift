import Foundation
import ReferralBridge
import SimulatedRuntime
import Testing

/// The silent probe answers late, or never.
@MainActor
struct ProbeTests {
    @Test("a probe that never answers is asked again at the next activation, for the moment of the first check")
    func neverAnswers() {
        simulate { device in
            device.probeLatency = .infinity
            device.tap()
            device.wait(290)
            let app = device.open()
            device.wait(2.9)
            #expect(app?.answers == [])
            device.wait(0.2)
            #expect(app?.answers == [.stillReading])
            device.leave()
            device.wait(20)
            device.probeLatency = 0
            device.open()
            device.wait(5)
            #expect(device.reported == ["spring"], "though five minutes are over by now")
            #expect(app?.reads == 1)
            #expect(device.violations == [])
        }
    }

    @Test("a late answer counts, judged by the moment at which the check began", arguments: [2_500, 9_000, 280_000.0])
    func lateAnswer(_ latency: Double) {
        simulate { device in
            device.probeLatency = latency
            device.tap()
            device.wait(295)
            let app = device.open()
            device.wait(latency / 1_000 - 0.1)
            #expect(app?.reads == 0)
            device.wait(5)
            #expect(device.reported == ["spring"], "though five minutes are over by now")
            #expect(app?.reads == 1)
            #expect(app?.outcomes.count == 1)
        }
    }

    @Test("a late error is told, and the next activation tries again")
    func lateError() {
        simulate { device in
            device.probeLatency = 9_000
            device.failingAccess = .probe
            device.tap()
            let app = device.open()
            device.wait(10)
            guard case .readFailed = app?.outcomes.last else {
                Issue.record("another outcome")
                return
            }
            device.probeLatency = 0
            device.leave()
            device.open()
            device.wait(5)
            #expect(device.reported == ["spring"])
        }
    }

    @Test("an answer that comes after the app was in the background isn't believed")
    func answerAfterDeparture() {
        simulate { device in
            device.probeLatency = 9_000
            device.copy(.init(["a note"], isLink: false))
            let app = device.open(.firstLaunch)
            device.wait(3)
            device.leave()
            device.tap()
            device.probeLatency = 0
            device.open()
            device.wait(30)
            #expect(device.reported == ["spring"], "the note didn't end the first launch")
            #expect(app?.outcomes.first?.arrival?.referrer == "spring")
        }
        // In the background, the clipboard looks empty.
        simulate { device in
            device.probeLatency = 9_000
            device.tap()
            device.open()
            device.wait(3)
            device.leave()
            device.wait(10)
            device.probeLatency = 0
            device.open()
            device.wait(30)
            #expect(device.reported == ["spring"])
        }
    }
}

import SimulatedRuntime
import Testing

@testable import ReferralBridge

/// The moments of a check that are too rare for the random histories.
@MainActor
struct MomentTests {
    @Test("a probe that ended in the background doesn't count, since a pasteboard looks empty there")
    func leftDuringProbe() {
        simulate { device in
            device.latency = 100
            device.tap()
            device.open(.firstLaunch)
            device.wait(0.15)
            device.leave()
            device.wait(1)
            #expect(device.record == LedgerRecord(), "and doesn't end the first launch")
            device.open()
            device.wait(5)
            #expect(device.reported == ["spring"])
        }
    }

    @Test("a tap that was too old when the check began counts at once if the clock is set right during the question")
    func wrongClock() {
        simulate { device in
            device.tap()
            device.setClock(by: 3_600_000)
            let app = device.open()
            device.wait(1)
            device.setClock(by: -3_600_000)
            device.wait(5)
            #expect(device.reported == ["spring"])
            #expect(app?.reads == 1)
        }
    }
}

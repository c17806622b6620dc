import Foundation
import Testing

@testable import ReferralBridge

/// Clocks that jump, and taps that lie ahead.
@MainActor
struct ClockTests {
    @Test("a clock that jumps during the question changes nothing: the moment counts at which the check began")
    func clockJumps() {
        for day in [86_400_000.0, -86_400_000] {
            simulate { device in
                device.tap()
                let app = device.open()
                device.wait(1)
                device.setClock(by: day)
                device.wait(5)
                device.leave()
                device.open()
                device.wait(5)
                #expect(device.reported == ["spring"])
                #expect(app?.reads == 1)
            }
        }
    }

    @Test("a tap that a wrong clock made too old is found when the clock is right again")
    func wrongClock() {
        simulate { device in
            device.tap()
            device.setClock(by: 3_600_000)
            let app = device.open()
            device.wait(5)
            #expect(app?.outcomes.count == 1)
            device.setClock(by: -3_600_000)
            device.leave()
            device.open()
            device.wait(5)
            #expect(device.reported == ["spring"])
        }
    }

    @Test("a tap that was too old when the check began counts at once if the clock is set right during the question")
    func wrongClockDuringQuestion() {
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

    @Test(
        "a tap that was too far ahead when the check began counts by an activation since, though the clock jumps after it"
    )
    func clockJumpsAfterReturn() {
        simulate { device in
            device.tap(ahead: 40)
            let app = device.open()
            device.leave()
            device.wait(20)
            device.open()
            device.setClock(by: 86_400_000)
            device.wait(60)
            #expect(device.reported == ["spring"])
            #expect(app?.reads == 1)
        }
    }

    @Test("a tap that is reported after the clock was set isn't read again, as long as the clock stays as it is")
    func clockSetBeforeReport() {
        simulate { device in
            device.tap()
            let app = device.open(isListening: false)
            device.wait(5)
            device.setClock(by: -86_400_000)
            app?.setListener(true)
            for _ in 0..<2 {
                device.leave()
                device.open()
                device.wait(5)
            }
            #expect(device.reported == ["spring"])
            #expect(app?.reads == 1)
        }
    }

    @Test("a tap that lies far ahead is read once and never waited for", arguments: [335, 86_400, 1e9])
    func farAhead(_ seconds: Double) {
        simulate { device in
            device.tap(ahead: seconds)
            for _ in 0..<3 {
                let app = device.open()
                device.wait(5)
                device.terminate()
                #expect((app?.reads ?? 0) <= 1)
            }
            #expect(device.record.lastRead?.changeCount == 1)
        }
    }

    @Test("a tap that lies a little too far ahead counts when its time comes, and nobody is asked again")
    func littleAhead() {
        simulate { device in
            device.tap(ahead: 40)
            let app = device.open()
            device.wait(5)
            #expect(device.reported == [])
            device.wait(60)
            device.leave()
            device.open()
            #expect(device.reported == ["spring"])
            #expect(app?.reads == 1)
        }
    }

    @Test("a tap that was a little too far ahead counts by the next check's beginning, though the clock jumps in it")
    func littleAheadAndClockJumps() {
        simulate { device in
            device.tap(ahead: 40)
            let app = device.open()
            device.wait(65)
            device.latency = 1_000
            device.leave()
            device.open()
            device.setClock(by: 86_400_000)
            device.wait(5)
            #expect(device.reported == ["spring"])
            #expect(app?.reads == 1)
        }
    }

    @Test("a tap that comes while a slow pasteboard is asked counts at once, though the check began long before it")
    func duringCheck() {
        simulate { device in
            device.latency = 40_000
            device.open()
            device.wait(35)
            device.tap()
            device.wait(130)
            #expect(device.reported == ["spring"])
        }
    }

    @Test("a tap that lies half a minute ahead doesn't hide the taps before it, and is reported once itself")
    func aheadHidesNothing() {
        simulate { device in
            device.tap("server", ahead: 29)
            device.open()
            device.wait(5)
            device.leave()
            device.tap("page")
            device.open()
            device.wait(5)
            #expect(device.reported == ["server", "page"])
            device.process?.bridge?.handlePaste([link("server", at: device.now.advanced(by: 19))])
            #expect(device.reported == ["server", "page"])
        }
    }

    @Test("a tap that was reported ahead of its time isn't reported again, whatever the clock said before")
    func aheadAfterClockWasSet() {
        simulate { device in
            device.tap()
            device.open()
            device.wait(5)
            device.setClock(by: -86_400_000)
            device.leave()
            device.tap("autumn", ahead: 10)
            let autumn = device.now.advanced(by: 10)
            device.open()
            device.wait(60)
            #expect(device.reported == ["spring", "autumn"])
            device.process?.bridge?.handlePaste([link("autumn", at: autumn)])
            #expect(device.reported == ["spring", "autumn"])
        }
    }
}

import Foundation
import ReferralBridge
import SimulatedRuntime
import Testing

/// The silent probe answers late, or never.
@MainActor
struct ProbeTests {
    @Test("a probe that never answers ends its check after two seconds, and doesn't stop the next one")
    func neverAnswers() {
        simulate { device in
            device.probeLatency = .infinity
            device.tap()
            let app = device.open()
            device.wait(1.9)
            #expect(app?.answers == [])
            #expect(app?.outcomes == [])
            device.wait(0.2)
            #expect(app?.answers == [.stillReading], "before the caller's own time limit")
            #expect(app?.outcomes == [.stillReading])
            device.leave()
            device.probeLatency = 0
            device.open()
            device.wait(5)
            #expect(device.reported == ["spring"])
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
            #expect(app?.outcomes == [.stillReading])
            #expect(app?.reads == 0)
            device.wait(5)
            #expect(device.reported == ["spring"], "though five minutes are over by now")
            #expect(app?.reads == 1)
            #expect(app?.outcomes.count == 2)
        }
    }

    @Test("a late answer of no is told, and nothing is read")
    func lateNo() {
        simulate { device in
            device.probeLatency = 9_000
            device.copy(.init(["a note"], isLink: false))
            let app = device.open()
            device.wait(10)
            #expect(app?.outcomes == [.stillReading, .noLinkDetected])
            #expect(app?.reads == 0)
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
            #expect(app?.outcomes.dropFirst().first?.arrival?.referrer == "spring")
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

    @Test("the late answers of two visits are told once")
    func answersOfTwoVisits() {
        simulate { device in
            device.probeLatency = 9_000
            device.copy(.init(["a note"], isLink: false))
            let app = device.open()
            device.wait(3)
            device.leave()
            device.open()
            device.wait(30)
            #expect(app?.outcomes == [.stillReading, .stillReading, .noLinkDetected])
        }
    }

    @Test("a late answer about a clipboard that was replaced reads nothing")
    func replacedClipboard() {
        simulate { device in
            device.probeLatency = 9_000
            device.tap()
            let app = device.open()
            device.wait(5)
            device.probeLatency = 0
            // In Split View, where the app stays active.
            device.copy(.init(["a note"], isLink: false))
            device.wait(10)
            #expect(app?.reads == 0)
            #expect(app?.outcomes == [.stillReading, .noLinkDetected])
        }
    }

    @Test("without a change count a late answer counts once, and not for what comes to the clipboard after it")
    func withoutChangeCount() {
        simulate { device in
            device.hidesChangeCount = true
            device.probeLatency = 9_000
            device.copy(.init(["a note"], isLink: false))
            let app = device.open()
            device.wait(10)
            #expect(app?.outcomes == [.stillReading, .noLinkDetected])
            device.probeLatency = 0
            device.tap()
            app?.check()
            device.wait(5)
            #expect(device.reported == ["spring"])
        }
    }

    @Test("the late answer of one probe counts while another one never answers")
    func twoProbes() {
        simulate { device in
            device.probeLatency = 9_000
            device.tap()
            let app = device.open()
            device.wait(3)
            device.probeLatency = .infinity
            app?.check()
            device.wait(30)
            #expect(device.reported == ["spring"])
            #expect(app?.reads == 1)
        }
    }

    @Test("what a later probe led to isn't asked or told again when an earlier one answers")
    func obsoleteAnswer() {
        simulate { device in
            device.person.answer = .decline
            device.probeLatency = 9_000
            device.tap()
            let app = device.open()
            device.wait(3)
            device.probeLatency = 0
            app?.check()
            device.wait(30)
            #expect(app?.questions == 1)
            #expect(app?.outcomes == [.stillReading, .emptyOrDenied])
            #expect(device.violations == [])
        }
        simulate { device in
            device.probeLatency = 9_000
            device.copy(.init(["a note"], isLink: false))
            let app = device.open()
            device.wait(3)
            device.probeLatency = 0
            app?.check()
            device.wait(30)
            #expect(app?.outcomes == [.stillReading, .noLinkDetected])
        }
    }
}

import Foundation
import ReferralBridge
import Testing

/// The way through a real launch, one trap at a time. `HistoriesTests` has them all at once.
@Suite(.serialized)
@MainActor
struct LaunchTests {
    // MARK: The question

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
            #expect(app?.outcomes.first?.referral?.referrer == "spring", "and the app hears how the check ended")
            #expect(device.record.lastRead?.changeCount == 1)
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

    // MARK: In front

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
            #expect(app?.reads == 1)
            #expect(app?.outcomes.suffix(3) == [.unchanged, .unchanged, .unchanged])
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

    @Test("a probe that ended behind doesn't count, since a pasteboard looks empty from there")
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
            #expect(app?.outcomes.first?.referral != nil)
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

    // MARK: Empty and locked

    @Test("a first read that gives nothing is tried once more when the app comes back, and then no more")
    func emptyRead() {
        simulate { device in
            device.person.delay = 0
            device.failingAccess = .emptyRead
            device.tap()
            let app = device.open()
            device.wait(1)
            #expect(app?.outcomes.first == .emptyOrDenied)
            device.leave()
            device.open()
            device.wait(1)
            #expect(device.reported == ["spring"])

            for _ in 0..<4 {
                device.leave()
                if device.record.lastRead?.changeCount != 2 { device.failingAccess = .emptyRead }
                if device.changeCount == 1 { device.tap("autumn") }
                device.open()
                device.wait(1)
            }
            #expect(app?.reads == 4, "twice for each clipboard")
            #expect(device.reported == ["spring"])
        }
    }

    @Test("before the first unlock nothing is looked at, used up or reported twice")
    func locked() {
        simulate { device in
            device.tap()
            device.open()
            device.wait(5)
            device.restart()
            let app = device.launchInBackground()
            app?.move(to: .active)
            device.wait(1)
            #expect(app?.answers == [.waitingForUnlock])
            #expect(app?.reads == 0)
            device.open()
            device.leave()
            device.open()
            device.wait(5)
            #expect(device.reported == ["spring"])
        }
    }

    @Test(
        "after a restart the change count begins again, and an old number isn't taken for the clipboard that was read"
    )
    func restart() {
        simulate { device in
            device.tap()
            device.open()
            device.wait(5)
            device.copy(.init(["a note"], isLink: false))
            device.restart()
            device.open()
            device.leave()
            device.tap("autumn")
            #expect(device.record.lastRead?.changeCount == device.changeCount, "whatever was remembered since")
            device.open()
            device.wait(5)
            #expect(device.reported == ["spring", "autumn"])
        }
    }

    @Test("a night's sleep and a clock that drifts are no restart")
    func noRestart() {
        simulate { device in
            device.copy(.init(["https://example.com"], isLink: true))
            device.open()
            device.wait(5)
            device.terminate()
            device.wait(36_000)
            device.setClock(by: 45_000)
            let app = device.open()
            device.wait(5)
            #expect(app?.reads == 0)
        }
    }

    // MARK: The clock

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

    @Test("a tap that lies far ahead is read once and never waited for", arguments: [335, 86_400, 1e9])
    func farAhead(_ seconds: TimeInterval) {
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

    // MARK: The store

    @Test("while the store doesn't answer, what was read stays, and nobody is asked again")
    func storeOffline() {
        simulate { device in
            device.store = .offline
            device.installedAt = device.now
            device.tap()
            let app = device.open(.firstDownload)
            device.wait(4.5)
            #expect(app?.outcomes.map(\.isStoreUnavailable) == [true])
            device.wait(1_000)
            // At once, and after 2, 10 and 60 seconds.
            #expect(app?.outcomes.count { $0.isStoreUnavailable } == 4)
            device.store = .online
            device.leave()
            device.open()
            #expect(device.reported == ["spring"])
            #expect(app?.reads == 1)
        }
    }

    @Test("a store that answers on the second try needs no activation")
    func storeBack() {
        simulate { device in
            device.store = .offline
            device.installedAt = device.now
            device.tap()
            device.open(.firstDownload)
            device.wait(5)
            device.store = .online
            device.wait(2)
            #expect(device.reported == ["spring"])
        }
    }

    @Test("a store that never answers holds up nothing else")
    func storeSilent() {
        simulate { device in
            device.store = .silent
            device.installedAt = device.now
            device.tap()
            let app = device.open(.firstDownload)
            device.wait(10)
            #expect(app?.answers == [.stillReading], "the question was open")
            #expect(app?.outcomes.first?.isStoreUnavailable == true)
            guard case .found = app?.bridge?.handlePaste([link("pasted", at: device.now)]) else {
                Issue.record("a paste doesn't need the store")
                return
            }
            device.leave()
            device.copy(.init(["a note"], isLink: false))
            device.open()
            #expect(app?.outcomes.contains(.noLinkDetected) == true)
        }
    }

    @Test("a pasteboard that never clears holds up nothing else")
    func clearSilent() {
        simulate { device in
            device.clearNeverEnds = true
            device.tap()
            let app = device.open()
            app?.bridge?.clearsPasteboard = true
            device.wait(10)
            #expect(device.reported == ["spring"])
            device.leave()
            device.tap("autumn")
            device.open()
            device.wait(10)
            #expect(device.reported == ["spring", "autumn"])
        }
    }

    @Test("a read that hangs keeps nothing waiting that was read before")
    func hangingRead() {
        simulate { device in
            device.store = .offline
            device.installedAt = device.now
            device.tap()
            device.open(.firstDownload)
            device.wait(100)
            device.leave()
            device.tap("autumn")
            device.latency = .infinity
            device.open()
            device.wait(5)
            device.store = .online
            device.leave()
            device.open()
            device.wait(5)
            #expect(device.reported == ["spring"])
        }
    }

    private func link(_ referrer: String, at moment: Timestamp) -> String {
        Fixture.link(payload: #"{"timestamp":\#(Int64(moment.milliseconds)),"referrer":"\#(referrer)"}"#)
    }
}

private extension AppStoreBridge.Outcome {
    var isUnreported: Bool { if case .unreported = self { true } else { false } }
    var isStoreUnavailable: Bool { if case .storeUnavailable = self { true } else { false } }
}

import Foundation
import ReferralClip
import Testing

@testable import ReferralBasics
@testable import ReferralBridge

/// What the App Clip has left, and arrivals that wait until the app is ready.
@MainActor
struct RoadTests {
    // MARK: The App Clip

    @Test("an App Clip's referral is reported once, nobody is asked, and the file is removed")
    func clip() {
        simulate { device in
            device.openClip("anna")
            device.tap("spring")
            let process = device.open()
            #expect(device.reported == ["anna"])
            #expect(process?.questions == 0)
            #expect(process?.outcomes.last == .skipped)
            #expect(process?.outcomes.first?.arrival?.road == .appClip)
            #expect(process?.outcomes.first?.arrival?.destination == "/boards/anna")
            #expect(device.clip == nil)
            device.leave()
            device.open()
            #expect(device.reported == ["anna"])
            #expect(process?.reads == 0)

            // The next launch looks at the pasteboard again.
            device.terminate()
            device.wait(10)
            device.tap("summer")
            device.open()
            device.wait(5)
            #expect(device.reported == ["anna", "summer"])
        }
    }

    @Test(
        "a file that doesn't count is removed with its reason, and the pasteboard is checked",
        arguments: [
            (SimulatedDevice.ClipContent.garbage, ClipProblem.notJSON), (.future, .fromTheFuture),
        ]
    )
    func ignoredClip(_ content: SimulatedDevice.ClipContent, _ problem: ClipProblem) {
        simulate { device in
            device.openClip("anna", content)
            device.tap("spring")
            let process = device.open()
            device.wait(5)
            #expect(device.clip == nil)
            #expect(process?.outcomes.first == .readFailed(AppStoreBridge.Failure(problem)))
            #expect(device.reported == ["spring"])
        }
    }

    @Test(
        "an address of the App Clip without a referral that counts has a verdict, and the pasteboard is checked",
        arguments: [(SimulatedDevice.ClipContent.old, Verdict.expired), (.otherPage, .noPayload)]
    )
    func clipWithoutReferral(_ content: SimulatedDevice.ClipContent, _ verdict: Verdict) {
        simulate { device in
            device.openClip("anna", content)
            device.tap("spring")
            let process = device.open()
            device.wait(5)
            #expect(device.clip == nil)
            guard case .noReferral(let result) = process?.outcomes.first else {
                Issue.record("\(String(describing: process?.outcomes))")
                return
            }
            #expect(result.verdicts == [verdict])
            #expect(device.reported == ["spring"])
        }
    }

    @Test("a file that can't be read stays, the pasteboard is checked, and the next check reads it")
    func unreadableClip() {
        simulate { device in
            device.openClip("anna")
            device.failingAccess = .clip
            let process = device.open()
            guard case .readFailed = process?.outcomes.first else {
                Issue.record("\(String(describing: process?.outcomes))")
                return
            }
            #expect(process?.outcomes.last == .noLinkDetected)
            device.leave()
            device.open()
            #expect(device.reported == ["anna"])
        }
    }

    @Test("without a listener, the App Clip's file waits, and nobody is asked meanwhile")
    func clipWithoutListener() {
        simulate { device in
            device.openClip("anna")
            device.tap("spring")
            let process = device.open(isListening: false)
            #expect(process?.outcomes.first?.isUnreported == true)
            #expect(process?.questions == 0)
            #expect(device.clip != nil)
            process?.setListener(true)
            device.leave()
            device.open()
            #expect(device.reported == ["anna"])
            #expect(device.clip == nil)
        }
    }

    @Test("the App Clip's file stays until the report is in the ledger")
    func clipOnFullDisk() {
        simulate { device in
            device.openClip("anna")
            device.isDiskFull = true
            device.open()
            #expect(device.reported == ["anna"])
            #expect(device.clip != nil)
            device.leave()
            device.open()
            #expect(device.reported == ["anna"])

            device.isDiskFull = false
            device.leave()
            device.open()
            #expect(device.reported == ["anna"])
            #expect(device.clip == nil)
        }
    }

    @Test("a crash before the ledger is written reports again; a crash after it doesn't, with the file still there")
    func clipAndCrash() {
        simulate { device in
            device.openClip("anna")
            let clip = device.clip
            device.isDiskFull = true
            device.open()
            device.terminate()
            device.isDiskFull = false
            device.open()
            #expect(device.reported == ["anna", "anna"])
            device.terminate()
            device.clip = clip
            let process = device.open()
            #expect(device.reported == ["anna", "anna"])
            guard case .noReferral(let result) = process?.outcomes.first else {
                Issue.record("\(String(describing: process?.outcomes))")
                return
            }
            #expect(result.verdicts == [.alreadyReported])
            #expect(device.clip == nil)
        }
    }

    @Test("a locked device keeps the App Clip's file")
    func clipWhileLocked() {
        simulate { device in
            device.openClip("anna")
            device.open()
            device.terminate()
            device.openClip("bert")
            device.isLocked = true
            device.launch(inFront: true) { $0.start(.everyone, checks: true) }
            device.process?.move(to: .active)
            device.wait(1)
            #expect(device.process?.outcomes == [.waitingForUnlock])
            #expect(device.clip != nil)
            device.leave()
            device.open()
            #expect(device.reported == ["anna", "bert"])
        }
    }

    @Test("a launch in the background doesn't touch the App Clip's file")
    func clipInBackground() {
        simulate { device in
            device.openClip("anna")
            let process = device.launchInBackground()
            device.wait(5)
            #expect(process?.clipReads == 0)
            #expect(device.reported.isEmpty)
            device.open()
            #expect(device.reported == ["anna"])
        }
    }

    // MARK: Addresses

    @Test("a landing page's address on the pasteboard never counts; pasted, it does")
    func landingAddress() {
        simulate { device in
            device.copy(SimulatedDevice.Clipboard([SimulatedDevice.landingAddress("anna")], isLink: true))
            let process = device.open()
            device.wait(5)
            #expect(process?.reads == 1)
            #expect(device.reported.isEmpty)
            process?.paste()
            #expect(device.reported == ["anna"])
        }
    }

    // MARK: Arrivals that are held

    @Test("an arrival is held across launches and a crash, and reported once when it is released")
    func held() {
        simulate { device in
            let first = device.open(isReady: false)
            first?.handle(SimulatedDevice.landingAddress("anna"))
            #expect(first?.bridge?.heldArrival?.referrer == "anna")
            #expect(first?.told == [])
            device.terminate()

            let second = device.open(isReady: false)
            #expect(second?.bridge?.heldArrival?.referrer == "anna")
            second?.setHolding(false)
            #expect(second?.told == ["anna"])
            #expect(second?.bridge?.heldArrival == nil)
            #expect(second?.bridge?.releaseArrivals() == nil)
            device.terminate()
            #expect(device.open()?.told == [])
        }
    }

    @Test("the newest arrival is held, and the others count as reported")
    func newest() {
        simulate { device in
            let process = device.open(isReady: false)
            process?.handle(SimulatedDevice.landingAddress("anna"))
            device.wait(10)
            process?.handle(SimulatedDevice.landingAddress("bert"))
            process?.setHolding(false)
            #expect(process?.told == ["bert"])
        }
    }

    @Test("an unsigned arrival doesn't replace a signed one, and a newer signed one does")
    func signed() throws {
        let held = try Arrival(Referral(referrer: "anna", timestamp: Fixture.now), road: .opened, isSigned: true)
        let ledger = try InMemoryLedger(LedgerRecord(heldArrival: held))
        var scanner = ReferralScanner(appID: Fixture.app)
        scanner.landingPages = [SimulatedDevice.landingPage]
        let clock = DeviceClock(now: { Fixture.now.advanced(by: 60) })
        let bridge = AppStoreBridge(scanner: scanner, pasteboard: InMemoryPasteboard([]), ledger: ledger, clock: clock)
        bridge.holdsArrivals = true
        let url = try #require(URL(string: SimulatedDevice.landingAddress("bert")))
        #expect(bridge.handle(url).arrival?.referrer == "bert")
        #expect(bridge.heldArrival == held)
        #expect(try ledger.record.heldArrival == held)

        var record = LaunchLedger(window: .standard)
        let reading = LaunchLedger.Reading.record(try ledger.record)
        #expect(record.receive(reading) == nil)
        let newer = try Arrival(
            Referral(referrer: "carl", timestamp: Fixture.now.advanced(by: 1)),
            road: .opened,
            isSigned: true
        )
        record.hold(newer, at: clock.now())
        #expect(record.record(at: clock.now()).heldArrival == newer)
    }

    @Test("what another bridge on the ledger has released isn't held anymore")
    func releasedElsewhere() throws {
        var ledger = LaunchLedger(window: .standard)
        ledger.hold(try Arrival(Referral(referrer: "anna", timestamp: Fixture.now), road: .opened), at: Fixture.now)
        let written = ledger.beginWrite(1, at: Fixture.now)
        var record = try #require(written)
        #expect(ledger.endWrite(1, nil) == nil)
        #expect(record.heldArrival != nil)
        record.heldArrival = nil
        #expect(ledger.receive(.record(record)) == nil)
        #expect(ledger.record(at: Fixture.now).heldArrival == nil)
    }

    @Test("a launch that doesn't hold reports what an earlier one held, before the App Clip's referral")
    func heldByEarlierLaunch() {
        simulate { device in
            device.open(isReady: false)?.handle(SimulatedDevice.landingAddress("anna"))
            device.terminate()
            device.wait(10)
            device.openClip("bert")
            let process = device.open()
            #expect(process?.told == ["anna", "bert"])
        }
    }

    @Test("a release while the device is locked is made up for by the next check, even after an App Clip's referral")
    func releaseWhileLocked() {
        simulate { device in
            device.openClip("anna")
            let process = device.open(isReady: false)
            device.isLocked = true
            process?.setHolding(false)
            #expect(process?.told == [])
            device.leave()
            device.open()
            #expect(process?.told == ["anna"])
        }
    }

    @Test("without a listener, a release keeps the arrival")
    func releaseWithoutListener() {
        simulate { device in
            let process = device.open(isListening: false, isReady: false)
            process?.handle(SimulatedDevice.landingAddress("anna"))
            process?.setHolding(false)
            #expect(process?.bridge?.heldArrival?.referrer == "anna")
            process?.setListener(true)
            device.leave()
            device.open()
            #expect(process?.told == ["anna"])
        }
    }

    @Test("a crash between a report and the ledger reports again; what was held before stays held on a full disk")
    func releaseOnFullDisk() {
        simulate { device in
            let first = device.open(isReady: false)
            first?.handle(SimulatedDevice.landingAddress("anna"))
            device.isDiskFull = true
            first?.setHolding(false)
            #expect(first?.told == ["anna"])
            #expect(first?.bridge?.releaseArrivals() == nil)
            device.terminate()

            device.isDiskFull = false
            let second = device.open()
            #expect(second?.told == ["anna"])
            device.terminate()
            #expect(device.open()?.told == [])
        }
    }

    @Test("a listener that releases while it is told is told once")
    func releaseFromListener() throws {
        let ledger = InMemoryLedger()
        var scanner = ReferralScanner(appID: Fixture.app)
        scanner.landingPages = [SimulatedDevice.landingPage]
        let bridge = AppStoreBridge(scanner: scanner, pasteboard: InMemoryPasteboard([]), ledger: ledger)
        bridge.holdsArrivals = true
        bridge.handle(try #require(URL(string: SimulatedDevice.landingAddress("anna"))))
        var count = 0
        bridge.onArrival = { _ in
            count += 1
            bridge.releaseArrivals()
        }
        bridge.releaseArrivals()
        #expect(count == 1)
        #expect(try ledger.record.heldArrival == nil)
    }
}

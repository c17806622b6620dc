import Foundation
import ReferralClip
import Testing

@testable import ReferralAppSupport
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

    @Test("an unsigned arrival doesn't replace a signed one, and a newer signed one does")
    func signed() throws {
        let referral = try Referral(referrer: "anna", timestamp: Fixture.now)
        let held = Arrival(referral, road: .opened, isSigned: true, destination: nil)
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
        let later = try Referral(referrer: "carl", timestamp: Fixture.now.advanced(by: 1))
        let newer = Arrival(later, road: .opened, isSigned: true, destination: nil)
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

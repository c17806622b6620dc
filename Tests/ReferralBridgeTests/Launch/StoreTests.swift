import Foundation
import ReferralBridge
import Testing

/// A store, a read or a clear that never ends blocks nothing else.
@MainActor
struct StoreTests {
    @Test("while the store doesn't answer, what was read stays, and nobody is asked again")
    func storeOffline() {
        simulate { device in
            let app = device.openNew(.offline)
            device.wait(4.5)
            #expect(app?.outcomes.map(\.isStoreUnavailable) == [true])
            // At once, and after 2, 10 and 60 seconds, of which half a second has passed.
            for (seconds, count) in [
                (1.5, 1), (0.002, 2), (9.998, 2), (0.002, 3), (59.998, 3), (0.002, 4), (1_000, 4),
            ] {
                device.wait(seconds)
                #expect(app?.outcomes.count { $0.isStoreUnavailable } == count, "after \(seconds) seconds")
            }
            device.store = .online
            device.leave()
            device.open()
            #expect(device.reported == ["spring"])
            #expect(app?.reads == 1)
        }
    }

    @Test("without change counts, what waits for the store is one reading, however often it is read")
    func storeOfflineWithoutCounts() {
        simulate { device in
            device.hidesChangeCount = true
            let app = device.openNew(.offline)
            device.wait(5)
            device.leave()
            device.open()
            device.wait(1)
            #expect(app?.reads == 3)
            #expect(app?.outcomes.map(\.isStoreUnavailable) == [true, true, true])
            device.store = .online
            device.wait(70)
            #expect(device.reported == ["spring"])
            #expect(app?.outcomes.count == 4, "each reading has one outcome")
        }
    }

    @Test("a store that answers on the second try needs no activation")
    func storeBack() {
        simulate { device in
            device.openNew(.offline)
            device.wait(5)
            device.store = .online
            device.wait(2)
            #expect(device.reported == ["spring"])
        }
    }

    @Test("a store that never answers blocks nothing else")
    func storeSilent() {
        simulate { device in
            let app = device.openNew(.silent)
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

    @Test("a store that never answered is asked anew at the next activation")
    func storeAwake() {
        simulate { device in
            device.openNew(.silent)
            device.wait(10)
            device.store = .online
            device.leave()
            device.open()
            device.wait(15)
            #expect(device.reported == ["spring"])
        }
    }

    @Test("the store is asked at once about a tap whose time has come since it was read")
    func tapAhead() {
        simulate { device in
            device.tap(ahead: 40)
            // The store's clock is ahead too.
            device.installedAt = device.now.advanced(by: 15)
            let app = device.open(.firstDownload)
            device.wait(20)
            device.leave()
            device.open()
            #expect(device.reported == ["spring"])
            #expect(app?.outcomes.contains(where: \.isStoreUnavailable) == false)
        }
    }

    @Test("the store is asked at once about a tap that counts since the clock was set right")
    func wrongClock() {
        simulate { device in
            device.tap()
            device.installedAt = device.now
            device.setClock(by: 3_600_000)
            let app = device.open(.firstDownload)
            device.wait(1)
            device.setClock(by: -3_600_000)
            device.wait(4)
            #expect(device.reported == ["spring"])
            #expect(app?.outcomes.contains(where: \.isStoreUnavailable) == false)
        }
    }

    @Test("a newer reading has the delays of its own check")
    func delaysBeginAnew() {
        simulate { device in
            device.openNew(.offline)
            device.wait(30)
            device.leave()
            device.tap("autumn")
            device.open()
            // After the last delay of the first check, and before that of the second.
            device.wait(50)
            device.store = .online
            device.wait(30)
            #expect(device.reported == ["spring", "autumn"])
        }
    }

    @Test("a pasteboard that never clears blocks nothing else")
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
            device.openNew(.offline)
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
}

private extension SimulatedDevice {
    /// Opens an app that the person got after a tap, while the store is in a state.
    @discardableResult
    func openNew(_ store: Store) -> SimulatedProcess? {
        self.store = store
        installedAt = now
        tap()
        return open(.firstDownload)
    }
}

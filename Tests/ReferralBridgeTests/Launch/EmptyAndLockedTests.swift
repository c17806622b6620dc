import Foundation
import Testing

@testable import ReferralBridge

/// Reads that give nothing, locked storage, and restarts.
@MainActor
struct EmptyAndLockedTests {
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

    @Test("a read of a newer content forgets an empty read of an earlier launch")
    func emptyReadOfEarlierLaunch() {
        simulate { device in
            device.person.delay = 0
            device.failingAccess = .emptyRead
            device.tap()
            device.open()
            device.wait(1)
            #expect(device.record.emptyRead?.changeCount == 1)
            device.terminate()
            device.tap("autumn")
            device.open()
            device.wait(1)
            #expect(device.reported == ["autumn"])
            #expect(device.record.lastRead?.changeCount == 2)
            #expect(device.record.emptyRead == nil)
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
            #expect(app?.bridge?.handlePaste(device.clipboard.strings) == .waitingForUnlock)
            #expect(device.reported == ["spring"])
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

    @Test("a night's sleep and a clock that drifts don't look like a restart")
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
}

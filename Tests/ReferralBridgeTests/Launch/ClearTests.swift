import Foundation
import ReferralBridge
import Testing

@MainActor
struct ClearTests {
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
}

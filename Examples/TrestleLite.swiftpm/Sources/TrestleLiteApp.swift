// The free app that sends its boards to Trestle, with DataHandoff.
//
// Open Examples/TrestleLite.swiftpm in Xcode and run it, and then Trestle, on the same iPhone or simulator.

import SwiftUI

@main
struct TrestleLiteApp: App {
    var body: some Scene {
        WindowGroup { LiteScreen() }
    }
}

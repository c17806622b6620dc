// The free app with room for ten boards. It leads to Trestle, and sends its boards there, with DataHandoff.
//
// Open Examples/TrestleLite.swiftpm in Xcode and run it, and then Trestle, on the same iPhone or simulator.

import SwiftUI

@main
struct TrestleLiteApp: App {
    var body: some Scene {
        WindowGroup { LiteScreen() }
    }
}

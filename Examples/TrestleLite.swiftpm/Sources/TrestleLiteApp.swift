// The free app beside Trestle: it sends its boards to it, with DataHandoff.
//
// Open Examples/TrestleLite.swiftpm in Xcode and run it, and then Trestle, on the same iPhone or simulator.

import SwiftUI

@main
struct TrestleLiteApp: App {
    var body: some Scene {
        WindowGroup { LiteScreen() }
    }
}

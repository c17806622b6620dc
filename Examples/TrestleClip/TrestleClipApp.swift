// The App Clip of Trestle. It shows which board an address promises, leaves the address for the app, and offers the app.
//
// Only a project of Xcode's can have a clip, not an app package. The article "Every road" explains how to add this folder to
// one as the sources of a clip, with the product ReferralClip.

import ReferralClip
import SwiftUI

@main
struct TrestleClipApp: App {
    /// The app group of the clip and the app.
    static let group = "group.com.example.trestle"

    var body: some Scene {
        WindowGroup {
            ClipScreen(
                handover: FileManager.default.containerURL(forSecurityApplicationGroupIdentifier: Self.group)
                    .map { ClipHandover(group: $0) }
            )
        }
    }
}

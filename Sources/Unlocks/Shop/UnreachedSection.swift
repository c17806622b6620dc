#if canImport(SwiftUI) && !os(tvOS) && !os(watchOS)
import SwiftUI

/// Says that the store can't be reached, and offers to try again. It is empty otherwise.
struct UnreachedSection: View {
    @ObservedObject var unlocks: UnlockCenter
    let shopping: Shopping

    var body: some View {
        if unlocks.isUnreached {
            Section {
                Label {
                    Text("The store can't be reached.", bundle: shopping.bundle)
                } icon: {
                    Image(systemName: "wifi.slash")
                }
                TryAgainButton(shopping: shopping)
            }
        }
    }
}

/// Asks the store and the catalog's source again.
struct TryAgainButton: View {
    let shopping: Shopping

    var body: some View {
        Button {
            Task { await shopping.unlocks.refresh() }
        } label: {
            Text("Try Again", bundle: shopping.bundle)
        }
    }
}
#endif

#if canImport(SwiftUI) && !os(tvOS) && !os(watchOS)
import Foundation
import ReferralAppSupport
import SwiftUI

#if canImport(UIKit)
import UIKit
#endif

/// Shares an address with a sentence: by the system's link, and before iOS 16 by the view that it shows.
struct ShareButton: View {
    @State private var isSharing = false
    let address: URL
    let message: String
    let bundle: Bundle

    var body: some View {
        #if canImport(UIKit)
        if #available(iOS 16, macCatalyst 16, visionOS 1, *) {
            link
        } else {
            Button(action: { isSharing = true }, label: { Text("Share", bundle: bundle) })
                .sheet(isPresented: $isSharing) { ActivityView(items: [message, address]) }
        }
        #else
        link
        #endif
    }

    @available(iOS 16, macCatalyst 16, macOS 13, visionOS 1, *)
    private var link: some View { ShareLink(item: address, message: Text(own: message)) }
}

#if canImport(UIKit)
private struct ActivityView: UIViewControllerRepresentable {
    let items: [Any]

    func makeUIViewController(context: Context) -> UIActivityViewController {
        UIActivityViewController(activityItems: items, applicationActivities: nil)
    }

    func updateUIViewController(_ controller: UIActivityViewController, context: Context) {}
}
#endif
#endif

#if (canImport(UIKit) && !os(tvOS) && !os(watchOS)) || canImport(AppKit)
import Foundation
#if canImport(UIKit)
import UIKit
#else
import AppKit
#endif

/// The clipboard, for an address that the user copies.
enum SystemClipboard {
    @MainActor
    static func copy(_ address: URL) {
        #if canImport(UIKit)
        UIPasteboard.general.urls = [address]
        #else
        NSPasteboard.general.clearContents()
        NSPasteboard.general.setString(address.absoluteString, forType: .string)
        #endif
    }
}
#endif

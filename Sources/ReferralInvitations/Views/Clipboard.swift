#if (canImport(UIKit) && !os(tvOS) && !os(watchOS)) || canImport(AppKit)
import Foundation

#if canImport(UIKit)
import UIKit
#else
import AppKit
#endif

extension Invitation {
    /// Copies the address, as a web page does: as an address and as text, since some apps paste nothing else.
    func copy() {
        // Each access to the pasteboard can block for seconds, if the content is on another device.
        DispatchQueue.global(qos: .userInitiated).async { [address] in
            #if canImport(UIKit)
            let text = address.absoluteString
            UIPasteboard.general.items = [["public.url": address, "public.utf8-plain-text": text]]
            #else
            NSPasteboard.general.clearContents()
            for type in [.URL, .string] as [NSPasteboard.PasteboardType] {
                NSPasteboard.general.setString(address.absoluteString, forType: type)
            }
            #endif
        }
    }
}
#endif

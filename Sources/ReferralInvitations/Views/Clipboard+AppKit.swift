#if canImport(AppKit) && !canImport(UIKit)
import AppKit

extension Clipboard {
    static func replace(with address: String) {
        let pasteboard = NSPasteboard.general
        pasteboard.clearContents()
        pasteboard.setString(address, forType: .URL)
        pasteboard.setString(address, forType: .string)
    }
}
#endif

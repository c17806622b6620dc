#if (canImport(UIKit) && !os(tvOS) && !os(watchOS)) || canImport(AppKit)
import Dispatch

/// The general pasteboard, for writing alone. Writing never prompts.
enum Clipboard {
    /// Each access can block for seconds, if the content is on another device.
    private static let queue = DispatchQueue(label: "ReferralInvitations.Clipboard", qos: .userInitiated)

    /// Replaces the content with an address, as a web page copies it: as an address and as text, since some apps paste nothing else.
    static func copy(_ address: String) async {
        await withCheckedContinuation { continuation in
            queue.async {
                replace(with: address)
                continuation.resume()
            }
        }
    }
}
#endif

#if canImport(UIKit) && !os(tvOS) && !os(watchOS)
import UIKit

extension Clipboard {
    static func replace(with address: String) {
        guard let url = URL(string: address) else { return }
        UIPasteboard.general.items = [["public.url": url, "public.utf8-plain-text": address]]
    }
}
#endif

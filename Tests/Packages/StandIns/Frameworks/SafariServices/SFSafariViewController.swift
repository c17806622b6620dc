#if canImport(UIKit)
public import UIKit

/// https://developer.apple.com/documentation/safariservices/sfsafariviewcontroller
@MainActor @preconcurrency
open class SFSafariViewController: UIViewController {
    /// https://developer.apple.com/documentation/safariservices/sfsafariviewcontroller/init(url:)-3wyoq
    public convenience init(url: URL) {
        // "The specified URL has an unsupported scheme. Only HTTP and HTTPS URLs are supported."
        precondition(["http", "https"].contains(url.scheme))
        self.init(nibName: nil, bundle: nil)
        self.url = url
    }

    // MARK: For tests

    /// The page that it shows.
    package private(set) var url: URL?
}
#endif

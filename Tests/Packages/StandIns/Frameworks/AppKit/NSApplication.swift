#if os(Linux)
// It has what Linux's Foundation lacks.
@_exported public import FoundationStandIn
#else
@_exported public import Foundation
#endif

/// https://developer.apple.com/documentation/appkit/nsresponder
@MainActor @preconcurrency
open class NSResponder: NSObject {
    public override init() {}
}

/// https://developer.apple.com/documentation/appkit/nsapplication
@MainActor @preconcurrency
open class NSApplication: NSResponder {
    public nonisolated static let didBecomeActiveNotification = NSNotification.Name(
        "NSApplicationDidBecomeActiveNotification"
    )
    public nonisolated static let didResignActiveNotification = NSNotification.Name(
        "NSApplicationDidResignActiveNotification"
    )

    private static let application = NSApplication()

    public class var shared: NSApplication { application }

    public private(set) var isActive = false

    // MARK: For tests

    /// A new process, at `applicationDidFinishLaunching`: not in front yet.
    package func launch() { isActive = false }

    package func becomeActive() async {
        await OperationQueue.runOnMain {
            guard !self.isActive else { return }
            self.isActive = true
            NotificationCenter.default.post(name: Self.didBecomeActiveNotification, object: self)
        }
    }

    package func resignActive() async {
        await OperationQueue.runOnMain {
            guard self.isActive else { return }
            self.isActive = false
            NotificationCenter.default.post(name: Self.didResignActiveNotification, object: self)
        }
    }
}

@_exported public import FoundationStandIn

@MainActor
open class NSResponder: NSObject {
    public override init() {}
}

@MainActor
open class NSApplication: NSResponder {
    public static let didBecomeActiveNotification = NSNotification.Name("NSApplicationDidBecomeActiveNotification")
    public static let didResignActiveNotification = NSNotification.Name("NSApplicationDidResignActiveNotification")

    private static let application = NSApplication()

    public class var shared: NSApplication { application }

    public private(set) var isActive = false

    // MARK: For tests

    /// A new process, at `applicationDidFinishLaunching`: not in front yet.
    public func launch() { isActive = false }

    public func becomeActive() async {
        await OperationQueue.runOnMain {
            guard !self.isActive else { return }
            self.isActive = true
            NotificationCenter.default.post(name: Self.didBecomeActiveNotification, object: self)
        }
    }

    public func resignActive() async {
        await OperationQueue.runOnMain {
            guard self.isActive else { return }
            self.isActive = false
            NotificationCenter.default.post(name: Self.didResignActiveNotification, object: self)
        }
    }
}

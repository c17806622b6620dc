package import AccessLog

/// The state of the general pasteboard.
package final class PasteboardStage: @unchecked Sendable {
    package let log = AccessLog()

    private let lock = NSLock()
    private var content: [[NSPasteboard.PasteboardType: String]] = []
    private var count = 0
    private var error: (any Error)?
    private var declined = false
    private var behavior = NSPasteboard.AccessBehavior.default

    package func put(_ items: [[NSPasteboard.PasteboardType: String]]) {
        lock.withLock {
            content = items
            count += 1
        }
    }

    /// What keeps the system from looking for patterns.
    package func failDetection(with newError: (any Error)?) { lock.withLock { error = newError } }

    /// Whether the person declines when the system asks.
    package func decline(_ declines: Bool = true) { lock.withLock { declined = declines } }

    /// What the person has chosen in System Settings.
    package func set(_ newBehavior: NSPasteboard.AccessBehavior) { lock.withLock { behavior = newBehavior } }

    package func reset() {
        set(.default)
        put([])
        decline(false)
        failDetection(with: nil)
        log.reset()
    }

    var items: [[NSPasteboard.PasteboardType: String]] { lock.withLock { content } }
    var changeCount: Int { lock.withLock { count } }
    var isDeclined: Bool { lock.withLock { declined } }
    var accessBehavior: NSPasteboard.AccessBehavior { lock.withLock { behavior } }
    var detectionError: (any Error)? { lock.withLock { error } }
}

import DataHandoff
import Foundation

/// User defaults whose calls can fail.
final class Settings: DefaultsStore, @unchecked Sendable {
    private let lock = NSLock()
    private var stored: [String: DefaultsValue]
    /// The number of changes that succeed, and then of those that fail.
    private var (left, failures) = (0, 0)
    private var hasCrashed = false

    init(_ values: [String: DefaultsValue] = [:]) { stored = values }

    var values: [String: DefaultsValue] { lock.withLock { stored } }

    func fail(after count: Int, times: Int) { lock.withLock { (left, failures) = (count, times) } }

    /// After some changes, nothing succeeds until a restart.
    func crash(after count: Int) { fail(after: count, times: .max) }

    func restart() { lock.withLock { (left, failures, hasCrashed) = (0, 0, false) } }

    func value(of key: String) throws(HandoffError) -> DefaultsValue? {
        guard lock.withLock({ !hasCrashed }) else { throw .noSpace }
        return values[key]
    }

    func set(_ value: DefaultsValue?, of key: String) throws(HandoffError) {
        let isDone = lock.withLock {
            if left > 0 || failures == 0 {
                left -= 1
                stored[key] = value
                return true
            }
            hasCrashed = failures == .max
            failures -= hasCrashed ? 0 : 1
            return false
        }
        guard isDone else { throw .noSpace }
    }
}

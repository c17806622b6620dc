import DataHandoff
import Foundation

/// User defaults in memory.
final class Settings: UserDefaults {
    private let lock = NSLock()
    private var values: [String: Any]

    init(_ values: [String: Any] = [:]) {
        self.values = values
        // swift-format-ignore: NeverForceUnwrap
        super.init(suiteName: nil)!
    }

    override func object(forKey key: String) -> Any? { lock.withLock { values[key] } }

    override func set(_ value: Any?, forKey key: String) { lock.withLock { values[key] = value } }

    override func removeObject(forKey key: String) { lock.withLock { values[key] = nil } }

    /// The property list of all values; `nil` without any.
    var list: Data? {
        get throws { try HandoffDefaults(Set(lock.withLock { values.keys }), in: self).list() }
    }

    /// Whether these are all values.
    func holds(_ values: [String: Any]) throws -> Bool { try list == Settings(values).list }
}

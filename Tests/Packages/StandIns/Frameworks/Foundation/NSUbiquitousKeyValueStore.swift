/// Foundation's on Apple's platforms; Linux has none.
public class NSUbiquitousKeyValueStore: NSObject, @unchecked Sendable {
    private let lock = NSLock()
    private var values: [String: Any] = [:]

    public class var `default`: NSUbiquitousKeyValueStore { standIn }
    private static let standIn = NSUbiquitousKeyValueStore()

    public class var didChangeExternallyNotification: NSNotification.Name {
        NSNotification.Name("NSUbiquitousKeyValueStoreDidChangeExternallyNotification")
    }

    public func string(forKey aKey: String) -> String? { lock.withLock { values[aKey] as? String } }

    /// A value of more than 1 MB isn't kept.
    public func set(_ aString: String?, forKey aKey: String) {
        guard aString?.utf8.count ?? 0 <= 1_048_576 else { return }
        lock.withLock { values[aKey] = aString }
    }

    @discardableResult
    public func synchronize() -> Bool { true }

    // MARK: For tests

    /// Another device has set a value.
    package func receive(_ text: String?, forKey key: String) {
        lock.withLock { values[key] = text }
        NotificationCenter.default.post(name: Self.didChangeExternallyNotification, object: self)
    }
}

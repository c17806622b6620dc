import Foundation

/// The user defaults of the receiver, in memory.
final class Settings: UserDefaults {
    private var values: [String: Any] = ["theme": "light"]

    init() {
        // swift-format-ignore: NeverForceUnwrap
        super.init(suiteName: nil)!
    }

    override func object(forKey key: String) -> Any? { values[key] }

    override func set(_ value: Any?, forKey key: String) { values[key] = value }

    override func removeObject(forKey key: String) { values[key] = nil }
}

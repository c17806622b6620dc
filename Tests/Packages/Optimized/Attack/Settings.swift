import DataHandoff

/// The user defaults of the receiver, in memory.
final class Settings: DefaultsStore, @unchecked Sendable {
    private var values: [String: DefaultsValue] = ["theme": .string("light")]

    func value(of key: String) -> DefaultsValue? { values[key] }

    func set(_ value: DefaultsValue?, of key: String) { values[key] = value }
}

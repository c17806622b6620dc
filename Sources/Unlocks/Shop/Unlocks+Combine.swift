#if canImport(Combine)
public import Combine

/// Tells views that something changes.
struct ChangeSignal {
    let publisher = ObservableObjectPublisher()

    func send() { publisher.send() }
}

/// A view that observes it is drawn again when something is opened, locked, bought or delivered.
extension Unlocks: ObservableObject {
    /// Sends before something changes.
    public var objectWillChange: ObservableObjectPublisher { willChange.publisher }
}
#endif

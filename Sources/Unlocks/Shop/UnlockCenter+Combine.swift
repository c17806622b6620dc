#if canImport(Combine)
public import Combine

/// Tells views that something changes.
///
/// Unchecked, since Combine doesn't say that its publisher is `Sendable`. It may be asked for anywhere, and only the main
/// actor sends.
struct ChangeSignal: @unchecked Sendable {
    let publisher = ObservableObjectPublisher()

    func send() { publisher.send() }
}

/// A view that observes the center is updated when something is opened, locked, bought or delivered.
extension UnlockCenter: ObservableObject {
    /// Sends when something changes, before views are drawn again.
    public nonisolated var objectWillChange: ObservableObjectPublisher { observers.signal.publisher }
}
#endif

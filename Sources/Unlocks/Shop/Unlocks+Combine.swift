#if canImport(Combine)
public import Combine

typealias ChangeSignal = ObservableObjectPublisher

/// A view that observes it is drawn again when something is opened, locked, bought or delivered.
extension Unlocks: ObservableObject {
    /// Sends before something changes.
    public var objectWillChange: ObservableObjectPublisher { willChange }
}
#endif

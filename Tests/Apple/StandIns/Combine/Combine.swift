public protocol Publisher<Output, Failure> {
    associatedtype Output
    associatedtype Failure: Error
}

public final class ObservableObjectPublisher: Publisher {
    public typealias Output = Void
    public typealias Failure = Never

    private var listeners: [() -> Void] = []

    public init() {}

    public func send() { for listener in listeners { listener() } }

    /// For the stand-in of SwiftUI.
    public func onSend(_ listener: @escaping () -> Void) { listeners.append(listener) }
}

public protocol ObservableObject: AnyObject {
    associatedtype ObjectWillChangePublisher: Publisher = ObservableObjectPublisher
    var objectWillChange: ObjectWillChangePublisher { get }
}

extension ObservableObject where ObjectWillChangePublisher == ObservableObjectPublisher {
    /// Tells nobody, as below.
    public var objectWillChange: ObservableObjectPublisher { ObservableObjectPublisher() }
}

/// Tells nobody of a change: the stand-ins' views are made anew by each test.
@propertyWrapper
public struct Published<Value> {
    public var wrappedValue: Value
    public init(wrappedValue: Value) { self.wrappedValue = wrappedValue }
}

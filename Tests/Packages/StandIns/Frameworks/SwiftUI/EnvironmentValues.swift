public import Combine

public protocol EnvironmentKey {
    associatedtype Value
    static var defaultValue: Value { get }
}

public struct EnvironmentValues {
    /// The values around the view that is being rendered.
    nonisolated(unsafe) static var current = EnvironmentValues()

    private var values: [ObjectIdentifier: Any] = [:]
    var objects: [ObjectIdentifier: any ObservableObject] = [:]
    /// What the view does with the address of a link.
    @MainActor @preconcurrency public var openURL = OpenURLAction { _ in .systemAction }
    /// How what is presented is dismissed; `nil` outside of that.
    var presentation: (() -> Void)?
    /// The action for purchases where the view is.
    var purchasing = "window"

    public subscript<Key: EnvironmentKey>(key: Key.Type) -> Key.Value {
        get { values[ObjectIdentifier(key)] as? Key.Value ?? Key.defaultValue }
        set { values[ObjectIdentifier(key)] = newValue }
    }

    public var dynamicTypeSize: DynamicTypeSize { .large }

    public var scenePhase: ScenePhase { .inactive }

    @MainActor @preconcurrency
    public var dismiss: DismissAction { DismissAction(action: presentation ?? {}) }

    public var isPresented: Bool { presentation != nil }

    @available(macOS 14.0, iOS 17.0, *)
    @MainActor @preconcurrency
    public var purchase: PurchaseAction { PurchaseAction(name: purchasing) }
}

public enum DynamicTypeSize: Sendable {
    case large, accessibility3

    public var isAccessibilitySize: Bool { self == .accessibility3 }
}

public enum ScenePhase: Sendable {
    case background, inactive, active
}

@MainActor @preconcurrency
public struct OpenURLAction {
    public enum Result: Sendable {
        case handled, systemAction
    }

    nonisolated(unsafe) let handler: (URL) -> Result

    public nonisolated init(handler: @escaping (URL) -> Result) { self.handler = handler }
}

@MainActor @preconcurrency
public struct DismissAction {
    let action: () -> Void

    public func callAsFunction() { action() }
}

@propertyWrapper
public struct Environment<Value>: Reading {
    private final class Place {
        var value: Value?
    }

    private let keyPath: KeyPath<EnvironmentValues, Value>
    private let place = Place()

    public init(_ keyPath: KeyPath<EnvironmentValues, Value>) { self.keyPath = keyPath }

    // An action of the view may come after the rendering.
    public var wrappedValue: Value { place.value ?? EnvironmentValues.current[keyPath: keyPath] }

    func read() { place.value = EnvironmentValues.current[keyPath: keyPath] }
}

@propertyWrapper @MainActor
public struct EnvironmentObject<ObjectType: ObservableObject>: Observing {
    public init() {}

    public var wrappedValue: ObjectType {
        guard let object else { fatalError("no \(ObjectType.self) in the environment") }
        return object
    }

    private var object: ObjectType? {
        EnvironmentValues.current.objects[ObjectIdentifier(ObjectType.self)] as? ObjectType
    }

    var publisher: ObservableObjectPublisher? { object?.objectWillChange as? ObservableObjectPublisher }
}

extension View {
    public func environment<Value>(_ keyPath: WritableKeyPath<EnvironmentValues, Value>, _ value: Value) -> some View {
        inEnvironment { $0[keyPath: keyPath] = value }
    }

    public func environmentObject<Object: ObservableObject>(_ object: Object) -> some View {
        inEnvironment { $0.objects[ObjectIdentifier(Object.self)] = object }
    }

    private func inEnvironment(_ change: @escaping (inout EnvironmentValues) -> Void) -> some View {
        Modified(view: self) { view, rendering in
            let outer = EnvironmentValues.current
            defer { EnvironmentValues.current = outer }
            change(&EnvironmentValues.current)
            rendering.add(view)
        }
    }
}

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

    public init() {}

    public subscript<Key: EnvironmentKey>(key: Key.Type) -> Key.Value {
        get { values[ObjectIdentifier(key)] as? Key.Value ?? Key.defaultValue }
        set { values[ObjectIdentifier(key)] = newValue }
    }
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

public enum DynamicTypeSize: Sendable {
    case large, accessibility3

    public var isAccessibilitySize: Bool { self == .accessibility3 }
}

private struct DynamicTypeSizeKey: EnvironmentKey {
    static let defaultValue = DynamicTypeSize.large
}

extension EnvironmentValues {
    public var dynamicTypeSize: DynamicTypeSize {
        get { self[DynamicTypeSizeKey.self] }
        set { self[DynamicTypeSizeKey.self] = newValue }
    }
}

public enum ScenePhase: Sendable {
    case background, inactive, active
}

private struct ScenePhaseKey: EnvironmentKey {
    static let defaultValue = ScenePhase.inactive
}

extension EnvironmentValues {
    public var scenePhase: ScenePhase {
        get { self[ScenePhaseKey.self] }
        set { self[ScenePhaseKey.self] = newValue }
    }
}

@MainActor @preconcurrency
public struct OpenURLAction {
    public struct Result: Sendable {
        enum Outcome { case handled, systemAction }
        let outcome: Outcome
        public static let handled = Result(outcome: .handled)
        public static let systemAction = Result(outcome: .systemAction)
    }

    private let handler: (URL) -> Result

    public init(handler: @escaping (URL) -> Result) { self.handler = handler }

    public func callAsFunction(_ url: URL) {
        #if canImport(UIKit)
        if leavesApp(url) { UIApplication.forTests.openedURLs.append(url) }
        #else
        _ = leavesApp(url)
        #endif
    }

    /// Opens an address.
    ///
    /// - Returns: Whether the system is asked to.
    func leavesApp(_ url: URL) -> Bool { handler(url).outcome == .systemAction }
}

private struct OpenURLKey: EnvironmentKey {
    static let defaultValue: OpenURLAction? = nil
}

extension EnvironmentValues {
    @MainActor @preconcurrency
    public var openURL: OpenURLAction {
        get { self[OpenURLKey.self] ?? OpenURLAction { _ in .systemAction } }
        set { self[OpenURLKey.self] = newValue }
    }
}

/// https://developer.apple.com/documentation/swiftui/dismissaction
@MainActor @preconcurrency
public struct DismissAction {
    let action: () -> Void

    public func callAsFunction() { action() }
}

private struct DismissKey: EnvironmentKey {
    static let defaultValue: DismissAction? = nil
}

extension EnvironmentValues {
    /// https://developer.apple.com/documentation/swiftui/environmentvalues/dismiss
    @MainActor @preconcurrency
    public var dismiss: DismissAction { self[DismissKey.self] ?? DismissAction {} }

    /// https://developer.apple.com/documentation/swiftui/environmentvalues/ispresented
    public var isPresented: Bool { self[DismissKey.self] != nil }

    /// The action in what is presented.
    var presentation: DismissAction? {
        get { self[DismissKey.self] }
        set { self[DismissKey.self] = newValue }
    }
}

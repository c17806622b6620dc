internal import Combine
public import CoreGraphics
@_exported public import FoundationStandIn
public import StoreKit
public import UniformTypeIdentifiers

#if canImport(UIKit)
@_exported public import UIKit
#else
@_exported public import AppKit
#endif

// MARK: - What is used

@MainActor @preconcurrency
public protocol View {
    associatedtype Body: View
    @ViewBuilder @MainActor @preconcurrency var body: Body { get }
}

extension Never: View {
    public var body: Never { fatalError("it has no body") }
}

@resultBuilder @MainActor
public struct ViewBuilder {
    public static func buildBlock() -> EmptyView { EmptyView() }
    public static func buildBlock<each Content: View>(_ content: repeat each Content) -> TupleView<
        (repeat each Content)
    > {
        TupleView((repeat each content))
    }
    public static func buildBlock<Content: View>(_ content: Content) -> Content { content }
    public static func buildExpression<Content: View>(_ content: Content) -> Content { content }
    public static func buildLimitedAvailability<Content: View>(_ content: Content) -> AnyView { AnyView(content) }
    public static func buildIf<Content: View>(_ content: Content?) -> Content? { content }
    public static func buildEither<First: View, Second: View>(first: First) -> Either<First, Second> { .first(first) }
    public static func buildEither<First: View, Second: View>(second: Second) -> Either<First, Second> {
        .second(second)
    }
}

public struct EmptyView: View, Primitive {
    public init() {}
    public func render(into rendering: Rendering) {}
}

public struct AnyView: View, Primitive {
    let view: any View
    public init(_ view: some View) { self.view = view }
    public func render(into rendering: Rendering) { rendering.add(view) }
}

public struct TupleView<Content>: View, Primitive {
    let content: Content
    init(_ content: Content) { self.content = content }
    public func render(into rendering: Rendering) {
        for child in Mirror(reflecting: content).children {
            if let view = child.value as? any View { rendering.add(view) }
        }
    }
}

public enum Either<First: View, Second: View>: View, Primitive {
    case first(First), second(Second)
    public func render(into rendering: Rendering) {
        switch self {
        case .first(let view): rendering.add(view)
        case .second(let view): rendering.add(view)
        }
    }
}

extension Optional: View where Wrapped: View {
    public var body: Never { fatalError("it has no body") }
}

extension Optional: Primitive where Wrapped: View {
    public func render(into rendering: Rendering) {
        if let self { rendering.add(self) }
    }
}

@MainActor @preconcurrency
public protocol ViewModifier {
    associatedtype Body: View
    typealias Content = ModifierContent
    @ViewBuilder @MainActor @preconcurrency func body(content: Content) -> Body
}

public struct ModifierContent: View, Primitive {
    let view: any View
    public func render(into rendering: Rendering) { rendering.add(view) }
}

public struct Button<Label: View>: View, Primitive {
    let role: ButtonRole?
    let action: @MainActor () -> Void
    let label: Label
    public init(role: ButtonRole?, action: @escaping @MainActor () -> Void, @ViewBuilder label: () -> Label) {
        self.role = role
        self.action = action
        self.label = label()
    }
    public func render(into rendering: Rendering) {
        let count = rendering.texts.count
        rendering.add(label)
        let title = rendering.texts[count...].joined(separator: " ")
        rendering.buttons.append(Rendering.PressableButton(title: title, role: role, action: action))
    }
}

extension Button {
    public init(action: @escaping @MainActor () -> Void, @ViewBuilder label: () -> Label) {
        self.init(role: nil, action: action, label: label)
    }
}

extension Button where Label == Text {
    public init(_ titleKey: LocalizedStringKey, action: @escaping @MainActor () -> Void) {
        self.init(role: nil, action: action) { Text(titleKey) }
    }
}

public struct ButtonRole: Equatable, Sendable {
    let name: String
    public static let destructive = ButtonRole(name: "destructive")
    public static let cancel = ButtonRole(name: "cancel")
}

@MainActor @preconcurrency
public struct PasteButton: View, Primitive {
    private nonisolated let contentTypes: [UTType]
    private nonisolated(unsafe) let action: ([NSItemProvider]) -> Void

    public nonisolated init(supportedContentTypes: [UTType], payloadAction: @escaping ([NSItemProvider]) -> Void) {
        contentTypes = supportedContentTypes
        action = payloadAction
    }

    public func render(into rendering: Rendering) { rendering.pasteButtons.append(self) }

    /// What a person does while this is on the pasteboard. The button is enabled by "the exact uniform type identifiers".
    ///
    /// - Returns: Whether it was enabled.
    @discardableResult
    public func press(_ itemProviders: [NSItemProvider]) -> Bool {
        let supported = contentTypes.map(\.identifier)
        guard itemProviders.contains(where: { $0.registeredTypeIdentifiers.contains(where: supported.contains) }) else {
            return false
        }
        action(itemProviders)
        return true
    }
}

@propertyWrapper
public struct AppStorage<Value> {
    private let key: String
    private let initial: Value

    public init(wrappedValue: Value, _ key: String, store: UserDefaults? = nil) where Value == Bool {
        self.key = key
        initial = wrappedValue
    }

    public var wrappedValue: Value {
        get { UserDefaults.standard.object(forKey: key) as? Value ?? initial }
        nonmutating set { UserDefaults.standard.set(newValue, forKey: key) }
    }
}

@propertyWrapper
public struct State<Value>: Lasting {
    private final class Storage {
        var value: Value
        init(_ value: Value) { self.value = value }
    }

    private final class Place {
        var storage: Storage
        init(_ value: Value) { storage = Storage(value) }
    }

    private let place: Place

    public init(wrappedValue: Value) { place = Place(wrappedValue) }
    public init(initialValue: Value) { place = Place(initialValue) }

    public var wrappedValue: Value {
        get { place.storage.value }
        nonmutating set { place.storage.value = newValue }
    }

    func last(in values: inout [String: AnyObject], as key: String) {
        if let storage = values[key] as? Storage { place.storage = storage }
        values[key] = place.storage
    }

    public var projectedValue: Binding<Value> {
        Binding(source: (place.storage, 0), get: { wrappedValue }, set: { wrappedValue = $0 })
    }
}

extension View {
    public nonisolated func modifier<Modifier: ViewModifier>(_ modifier: Modifier) -> some View {
        nonisolated(unsafe) let modifier = modifier
        return Modified(view: self) { view, rendering in
            rendering.note(modifier)
            rendering.add(modifier.body(content: ModifierContent(view: view)))
        }
    }

    public nonisolated func task(
        id value: some Equatable,
        name: String? = nil,
        priority: TaskPriority = .userInitiated,
        file: String = #fileID,
        line: Int = #line,
        @_inheritActorContext _ action: sending @escaping @isolated(any) () async -> Void
    ) -> some View {
        task(name: name, priority: priority, file: file, line: line, action)
    }

    public nonisolated func task(
        name: String? = nil,
        priority: TaskPriority = .userInitiated,
        file: String = #fileID,
        line: Int = #line,
        @_inheritActorContext _ action: sending @escaping @isolated(any) () async -> Void
    ) -> some View {
        nonisolated(unsafe) let action = action
        return Modified(view: self) { view, rendering in
            rendering.add(view)
            rendering.tasks.append(action)
        }
    }

    public nonisolated func onOpenURL(perform action: @escaping (URL) -> Void) -> some View {
        nonisolated(unsafe) let action = action
        return Modified(view: self) { view, rendering in
            rendering.add(view)
            rendering.urlActions.append(action)
        }
    }

    public nonisolated func onContinueUserActivity(
        _ activityType: String,
        perform action: @escaping (NSUserActivity) -> Void
    ) -> some View {
        nonisolated(unsafe) let action = action
        return Modified(view: self) { view, rendering in
            rendering.add(view)
            rendering.userActivityActions.append((activityType, action))
        }
    }

    public nonisolated func appStoreOverlay(
        isPresented: Binding<Bool>,
        configuration: @escaping () -> SKOverlay.Configuration
    ) -> some View {
        nonisolated(unsafe) let (isPresented, configuration) = (isPresented, configuration)
        return Modified(view: self) { view, rendering in
            rendering.add(view)
            if isPresented.wrappedValue { rendering.storeOverlays.append(configuration()) }
        }
    }

    public nonisolated func padding() -> some View { self }

    public nonisolated func offerCodeRedemption(
        isPresented: Binding<Bool>,
        onCompletion: @escaping @MainActor (Result<Void, any Error>) -> Void = { _ in }
    ) -> some View {
        sheet("offer code", isPresented) { onCompletion(.success(())) }
    }

    /// https://developer.apple.com/documentation/swiftui/view/offercoderedemption(options:ispresented:oncompletion:)
    @available(macOS 27.0, iOS 27.0, visionOS 27.0, *)
    public nonisolated func offerCodeRedemption(
        options: Set<RedeemOption>,
        isPresented: Binding<Bool>,
        onCompletion: @escaping @MainActor (Result<VerificationResult<StoreKit.Transaction>, any Error>) -> Void
    ) -> some View {
        sheet("offer code", isPresented) { onCompletion(.failure(StoreKitError.userCancelled)) }
    }

    public nonisolated func manageSubscriptionsSheet(isPresented: Binding<Bool>) -> some View {
        sheet("subscriptions", isPresented) {}
    }

    public nonisolated func refundRequestSheet(
        for transactionID: UInt64,
        isPresented: Binding<Bool>,
        onDismiss: (
            @MainActor (Result<StoreKit.Transaction.RefundRequestStatus, StoreKit.Transaction.RefundRequestError>) ->
                Void
        )? =
            nil
    ) -> some View {
        sheet("refund of \(transactionID)", isPresented) {}
    }

    /// A sheet of the system.
    private nonisolated func sheet(
        _ name: String,
        _ isPresented: Binding<Bool>,
        _ completion: @escaping @MainActor () -> Void
    ) -> some View {
        nonisolated(unsafe) let isPresented = isPresented
        return Modified(view: self) { view, rendering in
            rendering.add(view)
            if Presentation.of(isPresented).show(isPresented.wrappedValue, at: rendering.level) {
                rendering.systemSheets.append(name)
                rendering.add(Text(verbatim: name))
                rendering.sheetActions.append {
                    isPresented.wrappedValue = false
                    completion()
                }
            }
        }
    }
}

@MainActor @preconcurrency
public protocol App {
    associatedtype Body: Scene
    @MainActor @preconcurrency var body: Body { get }
    @MainActor @preconcurrency init()
}

extension App {
    @MainActor public static func main() { _ = Self().body }
}

@MainActor @preconcurrency
public protocol Scene {}

public struct WindowGroup<Content: View>: Scene {
    public init(@ViewBuilder content: () -> Content) { _ = content() }
}

// MARK: - For tests

/// What a view came to: what a person sees and can do, and what the system does with it.
@MainActor
public final class Rendering {
    public var texts: [String] = []
    public var tasks: [@isolated(any) () async -> Void] = []
    /// The inner ones come first.
    public var urlActions: [(URL) -> Void] = []
    /// What happens if the observed values have changed to what they are now.
    public internal(set) var changeActions: [() -> Void] = []
    public var userActivityActions: [(type: String, action: (NSUserActivity) -> Void)] = []
    public var storeOverlays: [SKOverlay.Configuration] = []
    public var pasteButtons: [PasteButton] = []
    public var buttons: [PressableButton] = []
    /// The system's sheets that are open, and what happens when the person has finished with each.
    public internal(set) var systemSheets: [String] = []
    public internal(set) var sheetActions: [@MainActor () -> Void] = []
    /// The person closes a sheet of the app's.
    public internal(set) var dismissals: [() -> Void] = []
    /// The person closes a sheet with an item.
    public internal(set) var itemDismissals: [() -> Void] = []
    /// The names of images in the app.
    public internal(set) var pictures: [String] = []
    /// The pictures, with what VoiceOver says, if anything.
    public internal(set) var images: [(image: CGImage, label: String?)] = []
    /// How far each bar is, from 0 to 1.
    public internal(set) var bars: [Double] = []
    /// What is shared, with its sentence.
    public internal(set) var shared: [(item: URL, message: String?)] = []
    public internal(set) var sharedTexts: [String] = []
    public internal(set) var textFields: [TextInput] = []
    /// What VoiceOver says instead of what is shown.
    public internal(set) var labels: [String] = []
    /// The links that a person can tap.
    public internal(set) var tappableLinks: [TappableLink] = []
    /// The addresses that links lead to.
    public var links: [URL] { tappableLinks.map(\.destination) }
    /// What VoiceOver says in one go.
    public internal(set) var elements: [String] = []
    /// How often views stand side by side.
    public internal(set) var rows = 0
    /// The smallest sizes of what has one.
    public internal(set) var minimumSizes: [(width: Double, height: Double)] = []
    /// Whether two elements of a `ForEach` have the same identifier.
    public internal(set) var hasRepeatedIDs = false
    /// The alert's title and message.
    public internal(set) var alert: [String]?
    /// What a tap on a button of the alert does in addition to the button's action.
    public internal(set) var dismissAlert: (@MainActor () -> Void)?

    #if canImport(UIKit)
    /// The controllers that stand in the view or in a sheet over it.
    public internal(set) var controllers: [UIViewController] = []
    #endif

    /// The texts, with their keys.
    public internal(set) var sentences: [ShownText] = []
    /// The keys of the sentences, and where each is looked up.
    public var keys: [(key: String, bundle: Bundle?)] = []

    public struct PressableButton {
        public let title: String
        public let role: ButtonRole?
        /// What VoiceOver says, where that is something else than the title.
        public internal(set) var label: String?
        /// What VoiceOver says after the label.
        public internal(set) var value: String?
        public internal(set) var isDisabled = false
        let action: @MainActor () -> Void

        /// A tap.
        @MainActor public func press() { if !isDisabled { action() } }
    }

    public struct TappableLink {
        public let title: String
        public let destination: URL
        let action: OpenURLAction

        /// A tap.
        ///
        /// - Returns: The address if the system opens it, in a browser or another app.
        @MainActor public func tap() -> URL? { action.leavesApp(destination) ? destination : nil }
    }

    public struct TextInput {
        public let title: String
        let text: Binding<String>
        var action: (() -> Void)?

        public var value: String { text.wrappedValue }

        #if canImport(UIKit)
        public internal(set) var keyboard = UIKeyboardType.default
        public internal(set) var capitalization: TextInputAutocapitalization?
        #endif

        /// A person types, and the field has this text then.
        public func type(_ value: String) { text.wrappedValue = value }

        /// A person deletes so many characters before the caret, and types.
        ///
        /// - Returns: Where the caret is then. SwiftUI moves it to the end if the app has changed the text.
        public func edit(at caret: Int, deleting count: Int = 0, typing typed: String = "") -> Int {
            var characters = Array(value)
            characters.replaceSubrange(caret - count..<caret, with: typed)
            text.wrappedValue = String(characters)
            return value == String(characters) ? caret - count + typed.count : value.count
        }

        /// The Return key.
        public func submit() { action?() }
    }

    /// Whether something that a view observes has sent a change since.
    public private(set) var isOutdated = false

    /// What keeps a view from presenting something.
    var level = Presentation.Level()

    /// The values of the views' states, and their controllers, by type and number.
    private var states: [String: AnyObject] = [:]
    private var counts: [String: Int] = [:]

    /// Renders a view.
    ///
    /// - Parameters:
    ///   - view: The view.
    ///   - earlier: What the same view came to before. The states of the views in it last.
    public init(_ view: some View, after earlier: Rendering? = nil) {
        states = earlier?.states ?? [:]
        let outer = ObservableObjectPublisher.isInBody
        ObservableObjectPublisher.isInBody = true
        defer { ObservableObjectPublisher.isInBody = outer }
        add(view)
    }

    /// How an address that opens the app comes to it.
    public enum Delivery: CaseIterable, Sendable {
        case address, activity, addressAndActivity, activityAndAddress
    }

    /// The system opens the app with an address.
    public func deliver(_ url: URL, as delivery: Delivery = .address) {
        let isAddress = delivery != .activity
        let isActivity = delivery != .address
        func deliverActivity() {
            let activity = NSUserActivity(activityType: NSUserActivityTypeBrowsingWeb)
            activity.webpageURL = url
            for (type, action) in userActivityActions where type == activity.activityType { action(activity) }
        }
        if delivery == .activityAndAddress { deliverActivity() }
        if isAddress { urlActions.forEach { $0(url) } }
        if isActivity, delivery != .activityAndAddress { deliverActivity() }
    }

    /// The view appears: SwiftUI begins its tasks, and waits for none of them.
    public func appear() {
        for task in tasks {
            nonisolated(unsafe) let task = task
            Task { await task() }
        }
    }

    func add(_ view: some View) {
        if let primitive = view as? any Primitive { return primitive.render(into: self) }
        let key = note(view)
        #if canImport(UIKit)
        if let view = view as? any UIViewControllerRepresentable {
            let controller = view.controller(after: states[key] as? UIViewController)
            states[key] = controller
            return controllers.append(controller)
        }
        #endif
        add(view.body)
    }

    /// Notes the properties of a view or a modifier.
    ///
    /// - Returns: Its key among the states.
    @discardableResult
    func note(_ view: Any) -> String {
        let type = "\(type(of: view))"
        counts[type, default: 0] += 1
        let key = "\(type) \(counts[type] ?? 0)"
        for (label, property) in Mirror(reflecting: view).children {
            if let state = property as? any Lasting {
                state.last(in: &states, as: "\(key) \(label ?? "")")
            }
            if let value = property as? any Reading { value.read() }
            guard let property = property as? any Observing else { continue }
            property.publisher?.onSend { [weak self] in
                MainActor.assumeIsolated { self?.isOutdated = true }
            }
        }
        return key
    }
}

/// A property whose value lasts from one rendering of a view to the next.
protocol Lasting {
    func last(in values: inout [String: AnyObject], as key: String)
}

/// A property whose value is that of the environment in which the view is rendered.
protocol Reading {
    func read()
}

/// A property whose object a view observes.
@MainActor
protocol Observing {
    var publisher: ObservableObjectPublisher? { get }
}

@MainActor
public protocol Primitive {
    func render(into rendering: Rendering)
}

extension View where Self: Primitive {
    public var body: Never { fatalError("it has no body") }
}

nonisolated struct Modified<Content: View>: View, Primitive {
    let view: Content
    let change: @MainActor (Content, Rendering) -> Void

    @MainActor func render(into rendering: Rendering) { change(view, rendering) }
}

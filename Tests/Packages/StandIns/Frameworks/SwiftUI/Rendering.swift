internal import Combine
public import CoreGraphics
public import StoreKit

/// What a view came to: what a person sees and can do, and what the system does with it. For tests.
@MainActor
public final class Rendering {
    public var texts: [String] = []
    /// The texts, with their keys.
    public internal(set) var sentences: [ShownText] = []
    /// The keys of the sentences, and where each is looked up.
    public var keys: [(key: String, bundle: Bundle?)] = []
    public var tasks: [@isolated(any) () async -> Void] = []
    /// The inner ones come first.
    public var urlActions: [(URL) -> Void] = []
    public var userActivityActions: [(type: String, action: (NSUserActivity) -> Void)] = []
    public var storeOverlays: [SKOverlay.Configuration] = []
    public var pasteButtons: [PasteButton] = []
    public var buttons: [PressableButton] = []
    public internal(set) var textFields: [TextInput] = []
    /// The links that a person can tap.
    public internal(set) var tappableLinks: [TappableLink] = []
    /// The system's sheets that are open, and what happens when the person has finished with each.
    public internal(set) var systemSheets: [String] = []
    public internal(set) var sheetActions: [@MainActor () -> Void] = []
    /// The person closes a sheet of the app's.
    public internal(set) var dismissals: [() -> Void] = []
    /// The alert's title and message.
    public internal(set) var alert: [String]?
    /// What a tap on a button of the alert does in addition to the button's action.
    public internal(set) var dismissAlert: (@MainActor () -> Void)?
    /// The names of images in the app.
    public internal(set) var pictures: [String] = []
    /// The pictures, with what VoiceOver says, if anything.
    public internal(set) var images: [(image: CGImage, label: String?)] = []
    /// What VoiceOver says instead of what is shown.
    public internal(set) var labels: [String] = []
    /// How far each bar is, from 0 to 1.
    public internal(set) var bars: [Double] = []
    /// What is shared, with its sentence.
    public internal(set) var shared: [(item: URL, message: String?)] = []
    public internal(set) var sharedTexts: [String] = []

    #if canImport(UIKit)
    /// The controllers that stand in the view or in a sheet over it.
    public internal(set) var controllers: [UIViewController] = []
    #endif

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

    /// The addresses that links lead to.
    public var links: [URL] { tappableLinks.map(\.destination) }

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

    /// Adds a view that names something.
    ///
    /// - Returns: Its texts.
    func addTitle(_ view: some View) -> String {
        let count = texts.count
        add(view)
        return texts[count...].joined(separator: " ")
    }

    /// Adds a view, and changes the buttons in it.
    func add(_ view: some View, _ change: (inout PressableButton) -> Void) {
        let count = buttons.count
        add(view)
        for index in buttons.indices.dropFirst(count) { change(&buttons[index]) }
    }

    /// Notes the key of what is only spoken.
    func noteKey(of text: Text?) {
        if let text, let key = text.sentence.key { keys.append((key, text.bundle)) }
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

// MARK: - What a person and the system do

extension Rendering {
    public struct PressableButton {
        public let title: String
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
        @MainActor public func tap() -> URL? { action.handler(destination) == .systemAction ? destination : nil }
    }

    public struct TextInput {
        public let title: String
        let text: Binding<String>
        var action: (() -> Void)?

        public var value: String { text.wrappedValue }

        /// A person types, and the field has this text then.
        public func type(_ value: String) { text.wrappedValue = value }

        /// The Return key.
        public func submit() { action?() }
    }

    /// How an address that opens the app comes to it.
    public enum Delivery: CaseIterable, Sendable {
        case address, activity, addressAndActivity, activityAndAddress
    }

    /// The system opens the app with an address.
    public func deliver(_ url: URL, as delivery: Delivery = .address) {
        func deliverActivity() {
            let activity = NSUserActivity(activityType: NSUserActivityTypeBrowsingWeb)
            activity.webpageURL = url
            for (type, action) in userActivityActions where type == activity.activityType { action(activity) }
        }
        if delivery == .activityAndAddress { deliverActivity() }
        if delivery != .activity { urlActions.forEach { $0(url) } }
        if delivery == .activity || delivery == .addressAndActivity { deliverActivity() }
    }

    /// The view appears: SwiftUI begins its tasks, and waits for none of them.
    public func appear() {
        for task in tasks {
            nonisolated(unsafe) let task = task
            Task { await task() }
        }
    }
}

// MARK: - How views are rendered

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

struct Modified<Content: View>: View, Primitive {
    let view: Content
    let change: @MainActor (Content, Rendering) -> Void

    func render(into rendering: Rendering) { change(view, rendering) }
}

// What the examples and the library's views are made of.

public import CoreGraphics

public struct List<Content: View>: View, Primitive {
    let content: Content
    public init(@ViewBuilder content: () -> Content) { self.content = content() }
    public func render(into rendering: Rendering) { rendering.add(content) }
}

public struct Form<Content: View>: View, Primitive {
    let content: Content
    public init(@ViewBuilder content: () -> Content) { self.content = content() }
    public func render(into rendering: Rendering) { rendering.add(content) }
}

public struct Section<Parent: View, Content: View>: View, Primitive {
    let header: Parent
    let content: Content
    public init(@ViewBuilder content: () -> Content, @ViewBuilder header: () -> Parent) {
        self.header = header()
        self.content = content()
    }
    public func render(into rendering: Rendering) {
        rendering.add(header)
        rendering.add(content)
    }
}

extension Section where Parent == Text {
    public init(_ titleKey: LocalizedStringKey, @ViewBuilder content: () -> Content) {
        self.init(content: content) { Text(titleKey) }
    }
}

extension Section where Parent == EmptyView {
    public init(@ViewBuilder content: () -> Content) {
        self.init(content: content) { EmptyView() }
    }
}

public struct VStack<Content: View>: View, Primitive {
    let content: Content
    public init(
        alignment: HorizontalAlignment = .center,
        spacing: Double? = nil,
        @ViewBuilder content: () -> Content
    ) {
        self.content = content()
    }
    public func render(into rendering: Rendering) { rendering.add(content) }
}

public struct HorizontalAlignment: Sendable {
    public static let center = HorizontalAlignment()
    public static let leading = HorizontalAlignment()
}

public struct HStack<Content: View>: View, Primitive {
    let content: Content
    public init(spacing: Double? = nil, @ViewBuilder content: () -> Content) { self.content = content() }
    public func render(into rendering: Rendering) {
        rendering.rows += 1
        rendering.add(content)
    }
}

public struct Spacer: View, Primitive {
    public init() {}
    public func render(into rendering: Rendering) {}
}

public struct Label<Title: View, Icon: View>: View, Primitive {
    let title: Title
    let icon: Icon
    public init(@ViewBuilder title: () -> Title, @ViewBuilder icon: () -> Icon) {
        self.title = title()
        self.icon = icon()
    }
    public func render(into rendering: Rendering) {
        rendering.add(icon)
        rendering.add(title)
    }
}

public struct Image: View, Primitive {
    public enum Interpolation: Sendable {
        case none, low, medium, high
    }

    private var (name, systemName): (String?, String?)
    private var picture: (image: CGImage, label: Text?)?
    public init(systemName: String) { self.systemName = systemName }
    public init(_ name: String, bundle: Bundle? = nil) { self.name = name }
    public init(_ cgImage: CGImage, scale: Double, label: Text) { picture = (cgImage, label) }
    public init(decorative cgImage: CGImage, scale: Double) { picture = (cgImage, nil) }
    public func interpolation(_ interpolation: Interpolation) -> Image { self }
    public func resizable() -> Image { self }
    public func render(into rendering: Rendering) {
        if let name { rendering.pictures.append(name) }
        guard let picture else { return }
        rendering.images.append((picture.image, picture.label?.text))
        if let key = picture.label?.key { rendering.keys.append(key) }
    }
}

public struct ShareLink: View, Primitive {
    private enum Item {
        case url(URL)
        case text(String)
    }

    private let item: Item
    private let message: Text?
    public init(item: URL, subject: Text? = nil, message: Text? = nil) {
        self.item = .url(item)
        self.message = message
    }
    public init(item: String, subject: Text? = nil, message: Text? = nil) {
        self.item = .text(item)
        self.message = message
    }
    public func render(into rendering: Rendering) {
        switch item {
        case .url(let url): rendering.shared.append((url, message?.text))
        case .text(let text): rendering.sharedTexts.append(text)
        }
    }
}

public struct TextField<Label: View>: View, Primitive {
    let text: Binding<String>
    let prompt: Text?
    let label: Label
    public init(text: Binding<String>, prompt: Text? = nil, @ViewBuilder label: () -> Label) {
        self.text = text
        self.prompt = prompt
        self.label = label()
    }
    public func render(into rendering: Rendering) {
        let count = rendering.texts.count
        rendering.add(label)
        let title = rendering.texts[count...].joined(separator: " ")
        rendering.textFields.append(Rendering.TextInput(title: title, text: text))
    }
}

public struct Color: View, Primitive {
    public static let white = Color()
    public func render(into rendering: Rendering) {}
}

public struct Link<Label: View>: View, Primitive {
    let destination: URL
    let label: Label
    public init(destination: URL, @ViewBuilder label: () -> Label) {
        self.destination = destination
        self.label = label()
    }
    public func render(into rendering: Rendering) {
        let count = rendering.texts.count
        rendering.add(label)
        let (title, action) = (rendering.texts[count...].joined(separator: " "), EnvironmentValues.current.openURL)
        rendering.tappableLinks.append(Rendering.TappableLink(title: title, destination: destination, action: action))
    }
}

public struct ProgressView<Label: View>: View, Primitive {
    let label: Label
    let fraction: Double?
    public init(@ViewBuilder label: () -> Label) {
        self.label = label()
        fraction = nil
    }
    public init<V: BinaryFloatingPoint>(value: V?, total: V = 1, @ViewBuilder label: () -> Label) {
        self.label = label()
        fraction = value.map { Double($0 / total) }
    }
    public func render(into rendering: Rendering) {
        rendering.add(label)
        if let fraction { rendering.bars.append(fraction) }
    }
}

public struct ForEach<Data: RandomAccessCollection, ID: Hashable, Content: View>: View, Primitive {
    let data: Data
    let id: KeyPath<Data.Element, ID>
    let content: (Data.Element) -> Content
    public init(
        _ data: Data,
        id: KeyPath<Data.Element, ID>,
        @ViewBuilder content: @escaping (Data.Element) -> Content
    ) {
        self.data = data
        self.id = id
        self.content = content
    }
    public func render(into rendering: Rendering) {
        // SwiftUI doesn't define what it shows then.
        if Set(data.map { $0[keyPath: id] }).count < data.count { rendering.hasRepeatedIDs = true }
        for element in data { rendering.add(content(element)) }
    }
}

public struct Picker<Selection: Hashable, Content: View>: View, Primitive {
    let title: Text
    let content: Content
    public init(
        _ titleKey: LocalizedStringKey,
        selection: Binding<Selection>,
        @ViewBuilder content: () -> Content
    ) {
        title = Text(titleKey)
        self.content = content()
    }
    public func render(into rendering: Rendering) {
        // The choices are in a menu.
        rendering.add(content)
        rendering.add(title)
    }
}

@propertyWrapper
public struct Binding<Value> {
    private let get: () -> Value
    private let set: (Value) -> Void
    /// The object with the value, and its place there.
    let source: (object: AnyObject, path: AnyHashable)?

    init(
        source: (object: AnyObject, path: AnyHashable)? = nil,
        get: @escaping () -> Value,
        set: @escaping (Value) -> Void
    ) {
        self.source = source
        self.get = get
        self.set = set
    }

    public var wrappedValue: Value {
        get { get() }
        nonmutating set { set(newValue) }
    }

    public var projectedValue: Binding { self }
}

public struct Font: Sendable {
    let isHeadline: Bool
    public static let title = Font(isHeadline: true)
    public static let headline = Font(isHeadline: true)
    public static let subheadline = Font(isHeadline: false)
}

public protocol ShapeStyle: Sendable {}

public struct HierarchicalShapeStyle: ShapeStyle {}

extension ShapeStyle where Self == HierarchicalShapeStyle {
    public static var secondary: HierarchicalShapeStyle { HierarchicalShapeStyle() }
}

@MainActor @preconcurrency
public protocol PrimitiveButtonStyle {}

public struct BorderedButtonStyle: PrimitiveButtonStyle {}

public struct BorderlessButtonStyle: PrimitiveButtonStyle {}

extension PrimitiveButtonStyle where Self == BorderlessButtonStyle {
    public static var borderless: BorderlessButtonStyle { BorderlessButtonStyle() }
}

extension PrimitiveButtonStyle where Self == BorderedButtonStyle {
    public static var bordered: BorderedButtonStyle { BorderedButtonStyle() }
}

public struct AccessibilityTraits: Sendable {
    public static let isHeader = AccessibilityTraits()
}

public struct AccessibilityChildBehavior: Sendable {
    public static let combine = AccessibilityChildBehavior()
}

extension View {
    public func disabled(_ disabled: Bool) -> some View {
        Modified(view: self) { view, rendering in
            let count = rendering.buttons.count
            guard disabled else { return rendering.add(view) }
            rendering.add(view)
            for index in rendering.buttons.indices.dropFirst(count) { rendering.buttons[index].isDisabled = true }
        }
    }

    public func accessibilityLabel(_ label: Text) -> some View {
        Modified(view: self) { view, rendering in
            let count = rendering.buttons.count
            rendering.add(view)
            if let key = label.key { rendering.keys.append(key) }
            rendering.labels.append(label.text)
            for index in rendering.buttons.indices.dropFirst(count) { rendering.buttons[index].label = label.text }
        }
    }

    public func background(_ background: some View) -> some View {
        Modified(view: self) { view, rendering in
            rendering.add(background)
            rendering.add(view)
        }
    }

    public func onChange<Value: Equatable>(of value: Value, perform action: @escaping (Value) -> Void) -> some View {
        Modified(view: self) { view, rendering in
            rendering.add(view)
            rendering.changeActions.append { action(value) }
        }
    }

    public func onSubmit(_ action: @escaping () -> Void) -> some View {
        Modified(view: self) { view, rendering in
            let count = rendering.textFields.count
            rendering.add(view)
            for index in rendering.textFields.indices.dropFirst(count) { rendering.textFields[index].action = action }
        }
    }

    public func accessibilityValue(_ value: Text) -> some View {
        Modified(view: self) { view, rendering in
            let count = rendering.buttons.count
            rendering.add(view)
            if let key = value.key { rendering.keys.append(key) }
            for index in rendering.buttons.indices.dropFirst(count) { rendering.buttons[index].value = value.text }
        }
    }

    public func accessibilityElement(children: AccessibilityChildBehavior) -> some View {
        Modified(view: self) { view, rendering in
            let count = rendering.texts.count
            rendering.add(view)
            rendering.elements.append(rendering.texts[count...].joined(separator: ", "))
        }
    }

    public func alert<Actions: View, Message: View>(
        _ title: Text,
        isPresented: Binding<Bool>,
        @ViewBuilder actions: () -> Actions,
        @ViewBuilder message: () -> Message
    ) -> some View {
        let (actions, message) = (actions(), message())
        return Modified(view: self) { view, rendering in
            rendering.add(view)
            guard Presentation.of(isPresented).show(isPresented.wrappedValue, at: rendering.level) else { return }
            let count = rendering.texts.count
            rendering.add(title)
            rendering.add(message)
            rendering.alert = Array(rendering.texts[count...])
            rendering.dismissAlert = { isPresented.wrappedValue = false }
            rendering.add(actions)
        }
    }
}

extension View {
    public func font(_ font: Font?) -> some View {
        self
    }

    public func foregroundStyle(_ style: HierarchicalShapeStyle) -> some View {
        self
    }
}

extension View {
    public func frame(
        minWidth: Double? = nil,
        maxWidth: Double? = nil,
        minHeight: Double? = nil,
        maxHeight: Double? = nil
    ) -> some View {
        Modified(view: self) { view, rendering in
            rendering.add(view)
            if let minWidth, let minHeight { rendering.minimumSizes.append((minWidth, minHeight)) }
        }
    }
}

#if canImport(UIKit)
/// https://developer.apple.com/documentation/swiftui/textinputautocapitalization
public struct TextInputAutocapitalization: Equatable, Sendable {
    let name: String
    public static var characters: TextInputAutocapitalization { TextInputAutocapitalization(name: "characters") }
}

extension View {
    public func keyboardType(_ type: UIKeyboardType) -> some View { input { $0.keyboard = type } }

    public func textInputAutocapitalization(_ autocapitalization: TextInputAutocapitalization?) -> some View {
        input { $0.capitalization = autocapitalization }
    }

    private func input(_ change: @escaping @MainActor (inout Rendering.TextInput) -> Void) -> some View {
        Modified(view: self) { view, rendering in
            let count = rendering.textFields.count
            rendering.add(view)
            for index in rendering.textFields.indices.dropFirst(count) { change(&rendering.textFields[index]) }
        }
    }
}
#endif

// What says nothing of what a view came to.
extension View {
    public func buttonStyle(_ style: some PrimitiveButtonStyle) -> some View { self }
    public func accessibilityInputLabels(_ inputLabels: [Text]) -> some View { self }
    public func accessibilityAddTraits(_ traits: AccessibilityTraits) -> some View { self }
    public func interactiveDismissDisabled(_ isDisabled: Bool = true) -> some View { self }
    public func accessibilityIdentifier(_ identifier: String) -> some View { self }
    public func scaledToFit() -> some View { self }
    public func ignoresSafeArea() -> some View { self }
    public func accessibilityHidden(_ hidden: Bool) -> some View { self }
    public func autocorrectionDisabled(_ disable: Bool = true) -> some View { self }
    public func tag(_ tag: some Hashable) -> some View { self }
}

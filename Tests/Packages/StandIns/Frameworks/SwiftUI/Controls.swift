public import CoreGraphics
public import UniformTypeIdentifiers

public struct Button<Label: View>: View, Primitive {
    let action: @MainActor () -> Void
    let label: Label
    public init(role: ButtonRole?, action: @escaping @MainActor () -> Void, @ViewBuilder label: () -> Label) {
        self.action = action
        self.label = label()
    }
    public func render(into rendering: Rendering) {
        let title = rendering.addTitle(label)
        rendering.buttons.append(Rendering.PressableButton(title: title, action: action))
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

public enum ButtonRole: Sendable {
    case destructive, cancel
}

@MainActor @preconcurrency
public struct PasteButton: View, Primitive {
    private let contentTypes: [UTType]
    private let action: ([NSItemProvider]) -> Void

    public init(supportedContentTypes: [UTType], payloadAction: @escaping ([NSItemProvider]) -> Void) {
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

public struct Image: View, Primitive {
    public enum Interpolation: Sendable {
        case none
    }

    private var name: String?
    private var picture: (image: CGImage, label: Text?)?
    public init(systemName: String) {}
    public init(_ name: String, bundle: Bundle? = nil) { self.name = name }
    public init(_ cgImage: CGImage, scale: Double, label: Text) { picture = (cgImage, label) }
    public init(decorative cgImage: CGImage, scale: Double) { picture = (cgImage, nil) }
    public func interpolation(_ interpolation: Interpolation) -> Image { self }
    public func resizable() -> Image { self }
    public func render(into rendering: Rendering) {
        if let name { rendering.pictures.append(name) }
        guard let picture else { return }
        rendering.images.append((picture.image, picture.label?.sentence.text))
        rendering.noteKey(of: picture.label)
    }
}

public struct ShareLink: View, Primitive {
    private let item: (url: URL?, text: String)
    private let message: Text?
    public init(item: URL, subject: Text? = nil, message: Text? = nil) {
        (self.item, self.message) = ((item, ""), message)
    }
    public init(item: String, subject: Text? = nil, message: Text? = nil) {
        (self.item, self.message) = ((nil, item), message)
    }
    public func render(into rendering: Rendering) {
        if let url = item.url {
            rendering.shared.append((url, message?.sentence.text))
        } else {
            rendering.sharedTexts.append(item.text)
        }
    }
}

public struct TextField<Label: View>: View, Primitive {
    let text: Binding<String>
    let label: Label
    public init(text: Binding<String>, prompt: Text? = nil, @ViewBuilder label: () -> Label) {
        self.text = text
        self.label = label()
    }
    public func render(into rendering: Rendering) {
        rendering.textFields.append(Rendering.TextInput(title: rendering.addTitle(label), text: text))
    }
}

public struct Link<Label: View>: View, Primitive {
    let destination: URL
    let label: Label
    public init(destination: URL, @ViewBuilder label: () -> Label) {
        self.destination = destination
        self.label = label()
    }
    public func render(into rendering: Rendering) {
        let (title, action) = (rendering.addTitle(label), EnvironmentValues.current.openURL)
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

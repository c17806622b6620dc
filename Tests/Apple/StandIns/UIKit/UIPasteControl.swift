@MainActor
public protocol UIPasteConfigurationSupporting: NSObjectProtocol {
    var pasteConfiguration: UIPasteConfiguration? { get set }
    func paste(itemProviders: [NSItemProvider])
    func canPaste(_ itemProviders: [NSItemProvider]) -> Bool
}

@MainActor
public class UIPasteConfiguration: NSObject {
    public let acceptableTypeIdentifiers: [String]

    public init(acceptableTypeIdentifiers: [String]) {
        self.acceptableTypeIdentifiers = acceptableTypeIdentifiers
    }
}

@MainActor
open class UIResponder: NSObject, UIPasteConfigurationSupporting {
    public nonisolated override init() {}

    open var pasteConfiguration: UIPasteConfiguration? {
        get { nil }
        set {}
    }

    open func paste(itemProviders: [NSItemProvider]) {}

    open func canPaste(_ itemProviders: [NSItemProvider]) -> Bool {
        let types = pasteConfiguration?.acceptableTypeIdentifiers ?? []
        return itemProviders.contains { $0.registeredTypeIdentifiers.contains(where: types.contains) }
    }
}

@MainActor
public class UIPasteControl: UIResponder {
    public struct Configuration {
        public init() {}
    }

    public weak var target: (any UIPasteConfigurationSupporting)?

    public nonisolated init(configuration: Configuration) {}

    /// What a person does.
    public func press(_ itemProviders: [NSItemProvider]) {
        guard let target, target.canPaste(itemProviders) else { return }
        target.paste(itemProviders: itemProviders)
    }
}

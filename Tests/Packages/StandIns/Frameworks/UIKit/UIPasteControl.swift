/// https://developer.apple.com/documentation/uikit/uipastecontrol
@available(iOS 16.0, *)
@MainActor @preconcurrency
open class UIPasteControl: UIControl {
    /// https://developer.apple.com/documentation/uikit/uipastecontrol/configuration
    @MainActor @preconcurrency
    open class Configuration: NSObject {
        public override init() {}
    }

    private let configuration: Configuration

    open weak var target: (any UIPasteConfigurationSupporting)?

    public init(configuration: Configuration) {
        self.configuration = configuration
        super.init(frame: .zero)
    }

    // MARK: For tests

    /// What a person does while this is on the pasteboard.
    ///
    /// The system shows nothing in less than 34 points, and enables the control by what the target's paste configuration
    /// accepts. A target that has a say in it of its own is given a look at the contents first, and so the person is asked.
    ///
    /// - Returns: Whether there was a button to press.
    @discardableResult
    package func press(_ itemProviders: [NSItemProvider]) -> Bool {
        guard frame.height >= 34, isEnabled, let target else { return false }
        if let canPaste = MissingMember.ifThere({ target.canPaste(itemProviders) }) {
            UIPasteboard.forTests.countQuestion()
            guard canPaste else { return false }
        } else {
            guard let configuration = target.pasteConfiguration else { return false }
            guard itemProviders.contains(where: configuration.accepts) else { return false }
        }
        return MissingMember.ifThere { target.paste(itemProviders: itemProviders) } != nil
    }
}

@MainActor
open class UIScene: UIResponder {
    @MainActor
    open class OpenURLOptions: NSObject {
        open var sourceApplication: String?
    }
}

@MainActor
open class UIOpenURLContext: NSObject {
    open var url: URL
    open var options = UIScene.OpenURLOptions()

    // MARK: For tests

    /// Only the system makes one.
    public init(forTests url: URL, from sourceApplication: String?) {
        self.url = url
        super.init()
        options.sourceApplication = sourceApplication
    }
}

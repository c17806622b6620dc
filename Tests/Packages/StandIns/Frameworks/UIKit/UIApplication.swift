internal import SimulatedRuntime

/// https://developer.apple.com/documentation/uikit/uiapplication
@MainActor @preconcurrency
open class UIApplication: UIResponder {
    /// https://developer.apple.com/documentation/uikit/uiapplication/state
    public enum State: Int, Sendable {
        case active = 0
        case inactive = 1
        case background = 2
    }

    public nonisolated static let didBecomeActiveNotification = NSNotification.Name(
        "UIApplicationDidBecomeActiveNotification"
    )
    public nonisolated static let willResignActiveNotification = NSNotification.Name(
        "UIApplicationWillResignActiveNotification"
    )
    public nonisolated static let didEnterBackgroundNotification = NSNotification.Name(
        "UIApplicationDidEnterBackgroundNotification"
    )
    public nonisolated static let willEnterForegroundNotification = NSNotification.Name(
        "UIApplicationWillEnterForegroundNotification"
    )

    /// It is there once the app is launched. Before, Apple's is `nil` whatever its type says.
    @available(iOSApplicationExtension, unavailable)
    public class var shared: UIApplication {
        guard forTests.isThere else { fatalError("there is no application yet") }
        return forTests
    }

    /// As key-value coding, which every Objective-C object has.
    public class func value(forKey key: String) -> Any? {
        key == "sharedApplication" && forTests.isThere ? forTests : nil
    }

    public private(set) var applicationState = State.inactive {
        didSet {
            UIPasteboard.forTests.appDidChange(isInFront: applicationState != .background, isActive: isActive)
            MainActorWatch.changed()
        }
    }

    public private(set) var isProtectedDataAvailable = true

    open package(set) var connectedScenes: Set<UIScene> = []

    private var isActive: Bool { applicationState == .active }

    /// https://developer.apple.com/documentation/uikit/uiapplication/openexternalurloptionskey
    public struct OpenExternalURLOptionsKey: RawRepresentable, Hashable, Sendable {
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }

        public static let universalLinksOnly = OpenExternalURLOptionsKey(
            rawValue: "UIApplicationOpenURLOptionUniversalLinksOnly"
        )
    }

    /// The answer is also `false` if the person doesn't want the other app to be opened.
    @available(iOSApplicationExtension, unavailable)
    @discardableResult
    open func open(_ url: URL, options: [OpenExternalURLOptionsKey: Any] = [:]) async -> Bool {
        openedURLs.append(url)
        guard url.scheme == "https" else { return isInstalled(url) && !declinesOpening }
        // A browser opens what no app is associated with.
        return options[.universalLinksOnly] as? Bool != true || url.host.map(associatedDomains.contains) == true
    }

    /// Only about schemes that the Info.plist lists, and about addresses of the web, which a browser opens.
    open func canOpenURL(_ url: URL) -> Bool {
        url.scheme == "https" || isInstalled(url) && url.scheme.map(queriesSchemes.contains) == true
    }

    private func isInstalled(_ url: URL) -> Bool { url.scheme.map(installedSchemes.contains) == true }

    // MARK: For tests

    package static let forTests = UIApplication()

    private var isThere = true

    /// The schemes that an app is installed for.
    package var installedSchemes: Set<String> = []

    /// The schemes of `LSApplicationQueriesSchemes` in the Info.plist.
    package var queriesSchemes: Set<String> = []

    /// What the person answers when the system asks whether the app may open another one.
    package var declinesOpening = false

    /// The domains that an installed app is associated with.
    package var associatedDomains: Set<String> = []

    /// What the app has asked the system to open.
    package var openedURLs: [URL] = []

    /// No app is installed, and nobody was asked.
    package func forgetOtherApps() {
        (installedSchemes, queriesSchemes, associatedDomains, openedURLs) = ([], [], [], [])
        declinesOpening = false
    }

    /// A new process, at `didFinishLaunching`: in front before it is active, or in the background. Prewarming and other
    /// background launches happen before the device was unlocked for the first time, too.
    package func launch(inBackground: Bool = false, isUnlocked: Bool = true) {
        isThere = true
        isProtectedDataAvailable = isUnlocked
        applicationState = inBackground ? .background : .inactive
    }

    /// In an app of SwiftUI's, `App.init` runs before there is an application.
    package func isNotThereYet() {
        isThere = false
        isProtectedDataAvailable = false
        applicationState = .inactive
    }

    package func lock() { isProtectedDataAvailable = false }

    package func unlock() { isProtectedDataAvailable = true }

    /// The person opens the app, or closes what was over it.
    package func becomeActive() async { await OperationQueue.runOnMain { self.activate() } }

    /// The person goes to another app.
    package func enterBackground() async {
        await OperationQueue.runOnMain {
            self.deactivate()
            self.applicationState = .background
            self.post(Self.didEnterBackgroundNotification)
        }
    }

    /// The system asks something.
    nonisolated static func questionBegins() {
        OperationQueue.main.addOperation { MainActor.assumeIsolated { forTests.deactivate() } }
    }

    /// The person has answered, or has left with the question open.
    nonisolated static func questionEnds() {
        OperationQueue.main.addOperation {
            MainActor.assumeIsolated {
                if forTests.applicationState == .inactive { forTests.activate() }
            }
        }
    }

    private func activate() {
        if applicationState == .background {
            post(Self.willEnterForegroundNotification)
            applicationState = .inactive
        }
        guard !isActive else { return }
        applicationState = .active
        post(Self.didBecomeActiveNotification)
    }

    private func deactivate() {
        guard isActive else { return }
        post(Self.willResignActiveNotification)
        applicationState = .inactive
    }

    private func post(_ name: NSNotification.Name) {
        NotificationCenter.default.post(name: name, object: self)
    }
}

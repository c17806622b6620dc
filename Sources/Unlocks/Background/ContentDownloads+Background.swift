#if !canImport(FoundationNetworking)
import Foundation

extension ContentDownloads {
    /// Loads files also while the app is suspended, and after the system has ended it.
    ///
    /// ```swift
    /// let downloads = ContentDownloads(inBackground: "com.example.trestle.downloads")
    /// let unlocks = UnlockCenter(store: store, catalog: catalog, folder: folder, context: context, downloads: downloads)
    /// ```
    ///
    /// All missing files of an item are handed to the system at once, and it loads them when it sees fit. Tasks that an
    /// earlier launch has begun are found when a center with these downloads starts. So use the same identifier at every
    /// launch, also when the system launches the app in the background. Start the center there too, and then pass the system's call to
    /// ``handleEvents(of:completionHandler:)`` or ``handleEvents(of:)``.
    ///
    /// - Parameter identifier: The name of the background session, such as `com.example.trestle.downloads`. The app may use
    ///   it for nothing else, and for one center at a time.
    public init(inBackground identifier: String) {
        let transport = BackgroundTransports.ofProcess.transport(identifier) {
            let session = DownloadTaskSession {
                .background(identifier)
            } resumeData: { error in
                (error as? URLError)?.downloadTaskResumeData
            }
            return BackgroundTransport(session)
        }
        self.init(transport)
    }

    /// Handles the events for which the system has launched or resumed the app. Call it in the app delegate's
    /// [application(\_:handleEventsForBackgroundURLSession:completionHandler:)](https://developer.apple.com/documentation/uikit/uiapplicationdelegate/application(_:handleeventsforbackgroundurlsession:completionhandler:)).
    ///
    /// - Parameters:
    ///   - identifier: The system's identifier of the session.
    ///   - completionHandler: The system's handler, which is called on the main thread once the loaded files are in the
    ///     app's folder.
    /// - Returns: False if no ``UnlockCenter`` with downloads of this identifier has started. Then the handler isn't called: call it
    ///   yourself, unless the session belongs to other code. The system keeps its files until a center has started.
    @MainActor
    public static func handleEvents(of identifier: String, completionHandler: @escaping () -> Void) -> Bool {
        BackgroundTransports.ofProcess.handleEvents(of: identifier, completionHandler)
    }

    /// Handles the events for which the system has launched or resumed the app, and returns once the loaded files are in the
    /// app's folder. Call it in SwiftUI's `backgroundTask(.urlSession(identifier))`.
    ///
    /// It returns at once if no ``UnlockCenter`` with downloads of this identifier has started.
    public static func handleEvents(of identifier: String) async {
        await BackgroundTransports.ofProcess.handleEvents(of: identifier)
    }
}

extension URLSessionConfiguration {
    /// A background session without cookies, a cache and credentials.
    fileprivate static func background(_ identifier: String) -> URLSessionConfiguration {
        let configuration = background(withIdentifier: identifier)
        configuration.removeTraces()
        // The user waits for what they have bought.
        configuration.isDiscretionary = false
        configuration.sessionSendsLaunchEvents = true
        // Meanwhile the system waits for a connection, and tries again by itself. This is also the system's own default.
        configuration.timeoutIntervalForResource = 7 * 86_400
        return configuration
    }
}
#endif

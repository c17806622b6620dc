/// Foundation's on Apple's platforms; Linux has none. UIKit, AppKit and SwiftUI hand it on with the rest of Foundation.
public typealias NSErrorPointer = UnsafeMutablePointer<NSError?>?

public class NSFileCoordinator: NSObject {
    public init(filePresenter: NSObject?) {}

    /// Calls the closure with where the file is before it returns, or sets the error and doesn't call it.
    public func coordinate(
        readingItemAt url: URL,
        error outError: NSErrorPointer,
        byAccessor reader: (URL) -> Void
    ) {
        switch FileProviders.forTests.begin(url) {
        case .success(let place): reader(place)
        case .failure(let error): outError?.pointee = error
        }
        FileProviders.forTests.note("end")
    }
}

extension URL {
    public static var documentsDirectory: URL { temporaryDirectory.appending(path: "Documents") }
    public static var applicationSupportDirectory: URL { temporaryDirectory.appending(path: "Application Support") }

    public func startAccessingSecurityScopedResource() -> Bool {
        FileProviders.forTests.note("start")
        return FileProviders.forTests.scoped.contains(self)
    }

    public func stopAccessingSecurityScopedResource() { FileProviders.forTests.note("stop") }
}

/// Where a file is that another app provides, as a test says.
public final class FileProviders: @unchecked Sendable {
    public static let forTests = FileProviders()

    private let lock = NSLock()
    private var answers: [URL: Result<URL, NSError>] = [:]
    private var scopes: Set<URL> = []
    private var log: [String] = []
    private var inTask = false

    /// What happens: a coordinated read begins and ends, and the scope of a file is entered and left.
    public var accesses: [String] { lock.withLock { log } }
    /// Whether one of the threads that Swift runs tasks on has waited for a file.
    public var hasBlockedTask: Bool { lock.withLock { inTask } }

    /// Sets where files are, and which have a scope. Files elsewhere have none, as in the app's own folders.
    public func reset(_ newAnswers: [URL: Result<URL, NSError>] = [:], scopes newScopes: Set<URL> = []) {
        lock.withLock { (answers, scopes, log, inTask) = (newAnswers, newScopes, [], false) }
    }

    var scoped: Set<URL> { lock.withLock { scopes } }

    func begin(_ url: URL) -> Result<URL, NSError> {
        let isInTask = withUnsafeCurrentTask { $0 != nil }
        return lock.withLock {
            log.append("begin")
            inTask = inTask || isInTask
            return answers[url] ?? .success(url)
        }
    }

    func note(_ access: String) { lock.withLock { log.append(access) } }
}

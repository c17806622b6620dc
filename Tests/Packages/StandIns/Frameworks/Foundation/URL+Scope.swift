extension URL {
    public func startAccessingSecurityScopedResource() -> Bool {
        SecurityScopes.forTests.begin(self)
    }

    public func stopAccessingSecurityScopedResource() {
        SecurityScopes.forTests.end(self)
    }
}

/// The files whose scope a test gives, and how often each is entered. Files elsewhere have none, as in the app's own folders.
public final class SecurityScopes: @unchecked Sendable {
    public static let forTests = SecurityScopes()

    private let lock = NSLock()
    private var scoped: Set<URL> = []
    private var log: [String] = []

    public var accesses: [String] { lock.withLock { log } }

    public func reset(_ urls: Set<URL> = []) { lock.withLock { (scoped, log) = (urls, []) } }

    func begin(_ url: URL) -> Bool {
        FileProviders.forTests.note("start")
        return lock.withLock {
            log.append("start")
            return scoped.contains(url)
        }
    }

    func end(_ url: URL) {
        FileProviders.forTests.note("stop")
        lock.withLock { log.append("stop") }
    }
}

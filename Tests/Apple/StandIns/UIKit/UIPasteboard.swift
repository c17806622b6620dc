@_exported public import Foundation

/// Counts every access, and answers as a test says.
public class UIPasteboard: NSObject {
    public nonisolated(unsafe) static let general = UIPasteboard()

    public struct DetectedValues {
        public var probableWebURL: String
    }

    /// What a test puts there.
    public struct Content {
        public var strings: [String]? = nil
        public var urls: [URL]? = nil
        public var hasURLs = false
        public var looksLikeAnAddress = false
        /// Runs within each access that prompts, on the thread of that access.
        public var onRead: () -> Void = {}

        public init() {}
    }

    private let lock = NSLock()
    private var content = Content()
    private var count = 0
    private var log: [String] = []

    private func access<Value>(_ name: String, _ value: (Content) -> Value) -> Value {
        lock.withLock {
            log.append(name)
            return value(content)
        }
    }

    // MARK: Silent

    public var hasURLs: Bool { access("hasURLs") { $0.hasURLs } }
    public var changeCount: Int { access("changeCount") { _ in count } }

    public func detectedPatterns(
        for keyPaths: Set<PartialKeyPath<DetectedValues>>
    ) async throws -> Set<PartialKeyPath<DetectedValues>> {
        access("detectedPatterns") { $0.looksLikeAnAddress ? keyPaths : [] }
    }

    // MARK: Prompting

    public var strings: [String]? {
        access("strings") { $0 }.read(\.strings)
    }

    public var urls: [URL]? {
        access("urls") { $0 }.read(\.urls)
    }

    public var items: [[String: Any]] {
        get { [] }
        set {
            access("items=") { _ in }
            if newValue.isEmpty { put(Content()) }
        }
    }

    // MARK: For tests

    public static let silentAccesses: Set = ["hasURLs", "changeCount", "detectedPatterns"]

    public func put(_ newContent: Content) {
        lock.withLock {
            content = newContent
            count += 1
        }
    }

    /// The accesses since the last call.
    public func takeLog() -> [String] {
        lock.withLock {
            defer { log = [] }
            return log
        }
    }
}

extension UIPasteboard.Content {
    fileprivate func read<Value>(_ keyPath: KeyPath<Self, Value>) -> Value {
        onRead()
        return self[keyPath: keyPath]
    }
}

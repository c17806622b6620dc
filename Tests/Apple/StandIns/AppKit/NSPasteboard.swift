@_exported public import Foundation

/// Counts every access, and answers as a test says.
public class NSPasteboard: NSObject {
    public nonisolated(unsafe) static let general = NSPasteboard()

    public struct PasteboardType: Hashable, Sendable {
        public static let string = PasteboardType(name: "public.utf8-plain-text")
        public static let URL = PasteboardType(name: "public.url")
        let name: String
    }

    public struct DetectedValues {
        public var probableWebURL: String
    }

    private let lock = NSLock()
    private var content: [[PasteboardType: String]] = []
    private var count = 0
    private var log: [String] = []

    private func access<Value>(_ name: String, _ value: ([[PasteboardType: String]]) -> Value) -> Value {
        lock.withLock {
            log.append(name)
            return value(content)
        }
    }

    // MARK: Silent

    public var changeCount: Int { access("changeCount") { _ in count } }

    public func availableType(from types: [PasteboardType]) -> PasteboardType? {
        access("availableType") { content in types.first { type in content.contains { $0[type] != nil } } }
    }

    public func detectedPatterns(
        for keyPaths: Set<PartialKeyPath<DetectedValues>>
    ) async throws -> Set<PartialKeyPath<DetectedValues>> {
        access("detectedPatterns") { $0.first?[.string]?.contains("://") == true ? keyPaths : [] }
    }

    // MARK: Prompting

    public var pasteboardItems: [NSPasteboardItem]? {
        access("pasteboardItems") { $0.map(NSPasteboardItem.init) }
    }

    @discardableResult
    public func clearContents() -> Int {
        access("clearContents") { _ in }
        put([])
        return changeCount
    }

    // MARK: For tests

    public static let silentAccesses: Set = ["changeCount", "availableType", "detectedPatterns"]

    public func put(_ items: [[PasteboardType: String]]) {
        lock.withLock {
            content = items
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

public class NSPasteboardItem: NSObject {
    private let strings: [NSPasteboard.PasteboardType: String]

    init(_ strings: [NSPasteboard.PasteboardType: String]) {
        self.strings = strings
    }

    public func string(forType type: NSPasteboard.PasteboardType) -> String? { strings[type] }
}

public import AccessLog
@_exported public import FoundationStandIn

/// Neither of the main actor nor sendable. Answers as a test says, and notes each access.
open class NSPasteboard: NSObject {
    open class var general: NSPasteboard { forTests.log.note("general") { NSPasteboard() } }

    public struct PasteboardType: RawRepresentable, Hashable, Sendable {
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }

        public static let string = PasteboardType(rawValue: "public.utf8-plain-text")
        public static let URL = PasteboardType(rawValue: "public.url")
    }

    public struct DetectedValues {
        public var probableWebURL: String
        public var probableWebSearch: String
    }

    /// From macOS 15.4 on.
    /// https://developer.apple.com/documentation/appkit/nspasteboard/accessbehavior-swift.enum
    public enum AccessBehavior: Int, Sendable {
        case `default`
        case ask
        case alwaysAllow
        case alwaysDeny
    }

    private var stage: PasteboardStage { Self.forTests }

    // MARK: Silent

    open var changeCount: Int { stage.log.note("changeCount") { stage.changeCount } }

    @available(macOS 15.4, *)
    open var accessBehavior: AccessBehavior { stage.log.note("accessBehavior") { stage.accessBehavior } }

    open func availableType(from types: [PasteboardType]) -> PasteboardType? {
        let items = stage.log.note("availableType") { stage.items }
        return types.first { type in items.contains { $0[type] != nil } }
    }

    /// Looks at the first item only. Swift has it as an asynchronous function and not otherwise.
    open func detectedPatterns(
        for keyPaths: Set<PartialKeyPath<DetectedValues>>
    ) async throws -> Set<PartialKeyPath<DetectedValues>> {
        let items = stage.log.note("detectedPatterns") { stage.items }
        if let error = stage.detectionError { throw error }
        return items.first?[.string]?.contains("://") == true ? keyPaths : []
    }

    // MARK: Prompting

    open var pasteboardItems: [NSPasteboardItem]? {
        stage.log.note("pasteboardItems") {
            stage.isDeclined || stage.accessBehavior == .alwaysDeny ? [] : stage.items.map(NSPasteboardItem.init)
        }
    }

    @discardableResult
    open func clearContents() -> Int {
        stage.log.note("clearContents") { stage.put([]) }
        return stage.changeCount
    }

    // MARK: For tests

    public static let forTests = PasteboardStage()
    public static let silentAccesses: Set = [
        "general", "changeCount", "accessBehavior", "availableType", "detectedPatterns",
    ]
}

@available(*, unavailable)
extension NSPasteboard: @unchecked Sendable {}

open class NSPasteboardItem: NSObject {
    private let strings: [NSPasteboard.PasteboardType: String]

    init(_ strings: [NSPasteboard.PasteboardType: String]) {
        self.strings = strings
    }

    open func string(forType type: NSPasteboard.PasteboardType) -> String? { strings[type] }
}

/// The state of the general pasteboard.
public final class PasteboardStage: @unchecked Sendable {
    public let log = AccessLog()

    private let lock = NSLock()
    private var content: [[NSPasteboard.PasteboardType: String]] = []
    private var count = 0
    private var error: (any Error)?
    private var declined = false
    private var behavior = NSPasteboard.AccessBehavior.default

    public func put(_ items: [[NSPasteboard.PasteboardType: String]]) {
        lock.withLock {
            content = items
            count += 1
        }
    }

    /// What keeps the system from looking for patterns.
    public func failDetection(with newError: (any Error)?) { lock.withLock { error = newError } }

    /// Whether the person declines when the system asks.
    public func decline(_ declines: Bool = true) { lock.withLock { declined = declines } }

    /// What the person has chosen in System Settings.
    public func set(_ newBehavior: NSPasteboard.AccessBehavior) { lock.withLock { behavior = newBehavior } }

    public func reset() {
        set(.default)
        put([])
        decline(false)
        failDetection(with: nil)
        log.reset()
    }

    var items: [[NSPasteboard.PasteboardType: String]] { lock.withLock { content } }
    var changeCount: Int { lock.withLock { count } }
    var isDeclined: Bool { lock.withLock { declined } }
    var accessBehavior: NSPasteboard.AccessBehavior { lock.withLock { behavior } }
    var detectionError: (any Error)? { lock.withLock { error } }
}

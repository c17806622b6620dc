internal import AccessLog

/// https://developer.apple.com/documentation/appkit/nspasteboard
///
/// Neither of the main actor nor sendable. Answers as a test says, and notes each access.
open class NSPasteboard: NSObject {
    open class var general: NSPasteboard { forTests.log.note("general") { NSPasteboard() } }

    /// https://developer.apple.com/documentation/appkit/nspasteboard/pasteboardtype
    public struct PasteboardType: RawRepresentable, Hashable, Sendable {
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }

        public static let string = PasteboardType(rawValue: "public.utf8-plain-text")
        public static let URL = PasteboardType(rawValue: "public.url")
    }

    /// https://developer.apple.com/documentation/appkit/nspasteboard/detectedvalues
    @available(macOS 15.4, *)
    public struct DetectedValues {
        public var probableWebURL: String { "" }
    }

    /// https://developer.apple.com/documentation/appkit/nspasteboard/accessbehavior-swift.enum
    @available(macOS 15.4, *)
    public enum AccessBehavior: Int, Sendable {
        case `default`
        case ask
        case alwaysAllow
        case alwaysDeny
    }

    private var stage: PasteboardStage { Self.forTests }

    // MARK: Silent

    open var changeCount: Int { stage.log.note("changeCount") { stage.changeCount } }

    /// https://developer.apple.com/documentation/appkit/nspasteboard/accessbehavior
    @available(macOS 15.4, *)
    open var accessBehavior: AccessBehavior { stage.log.note("accessBehavior") { stage.accessBehavior } }

    open func availableType(from types: [PasteboardType]) -> PasteboardType? {
        let items = stage.log.note("availableType") { stage.items }
        return types.first { type in items.contains { $0[type] != nil } }
    }

    /// https://developer.apple.com/documentation/appkit/nspasteboard/detectedpatterns(for:)
    ///
    /// Looks at the first item only. Swift has it as an asynchronous function and not otherwise.
    @available(macOS 15.4, *)
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

    @discardableResult
    open func setString(_ string: String, forType dataType: PasteboardType) -> Bool {
        // To what was written since the contents were cleared.
        stage.log.note("setString") { stage.put([(stage.items.first ?? [:]).merging([dataType: string]) { $1 }]) }
        return true
    }

    // MARK: For tests

    package static let forTests = PasteboardStage()
    package static let silentAccesses: Set = [
        "general", "changeCount", "accessBehavior", "availableType", "detectedPatterns",
    ]
}

@available(*, unavailable)
extension NSPasteboard: @unchecked Sendable {}

/// https://developer.apple.com/documentation/appkit/nspasteboarditem
open class NSPasteboardItem: NSObject {
    private let strings: [NSPasteboard.PasteboardType: String]

    init(_ strings: [NSPasteboard.PasteboardType: String]) {
        self.strings = strings
    }

    open func string(forType type: NSPasteboard.PasteboardType) -> String? { strings[type] }
}

@available(*, unavailable)
extension NSPasteboardItem: @unchecked Sendable {}

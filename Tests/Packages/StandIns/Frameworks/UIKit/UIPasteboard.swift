internal import AccessLog
internal import Dispatch

/// https://developer.apple.com/documentation/uikit/uipasteboard
///
/// Neither of the main actor nor sendable. Answers as a test says, and notes each access.
open class UIPasteboard: NSObject {
    /// Blocks on request, as other devices' clipboards have made it.
    open class var general: UIPasteboard { forTests.log.note("general") { UIPasteboard() } }

    /// https://developer.apple.com/documentation/uikit/uipasteboard/detectedvalues
    @available(iOS 15.0, *)
    public struct DetectedValues {
        public var probableWebURL: String { "" }
        public var probableWebSearch: String { "" }
        public var number: Double? { nil }
    }

    private var stage: PasteboardStage { Self.forTests }

    // MARK: Silent

    open var changeCount: Int { stage.log.note("changeCount") { stage.changeCount } }
    /// https://developer.apple.com/documentation/uikit/uipasteboard/hasurls
    @available(iOS 10.0, *)
    open var hasURLs: Bool { stage.log.note("hasURLs") { stage.silently(false, \.hasURLs) } }
    open var types: [String] { stage.log.note("types") { stage.silently([], \.types) } }
    open var numberOfItems: Int { stage.log.note("numberOfItems") { stage.silently(0, \.items.count) } }

    /// https://developer.apple.com/documentation/uikit/uipasteboard/detectionpattern
    @available(iOS, introduced: 14.0, deprecated: 15.0)
    @available(visionOS, unavailable)
    public struct DetectionPattern: RawRepresentable, Hashable, Sendable {
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }
        public static let probableWebURL = DetectionPattern(
            rawValue: "com.apple.uikit.pasteboard-detection-pattern.probable-web-url"
        )
    }

    /// https://developer.apple.com/documentation/uikit/uipasteboard/detectpatterns(for:completionhandler:)-5zlnd
    @available(iOS, introduced: 14.0, deprecated: 15.0)
    @available(visionOS, unavailable)
    open func detectPatterns(
        for patterns: Set<DetectionPattern>,
        completionHandler: @escaping (Result<Set<DetectionPattern>, any Error>) -> Void
    ) {
        let detection = stage.log.note("detectPatterns") { stage.silently(.success(false), \.detection) }
        nonisolated(unsafe) let answer = { completionHandler(detection.map { $0 ? patterns : [] }) }
        DispatchQueue.global().async { answer() }
    }

    /// https://developer.apple.com/documentation/uikit/uipasteboard/detectpatterns(for:completionhandler:)
    @available(iOS 15.0, *)
    open func detectPatterns(
        for keyPaths: Set<PartialKeyPath<DetectedValues>>,
        completionHandler: @escaping (Result<Set<PartialKeyPath<DetectedValues>>, any Error>) -> Void
    ) {
        let detection = stage.log.note("detectPatterns") { stage.silently(.success(false), \.detection) }
        nonisolated(unsafe) let answer = { completionHandler(detection.map { $0 ? keyPaths : [] }) }
        DispatchQueue.global().async { answer() }
    }

    // MARK: Prompting

    open var items: [[String: Any]] {
        get { stage.log.note("items") { stage.read(\.items) ?? [] } }
        set { stage.log.note("items=") { stage.put(UIPasteboard.Content(items: newValue)) } }
    }

    // MARK: For tests

    package static let forTests = PasteboardStage()
    package static let silentAccesses: Set = [
        "general", "changeCount", "hasURLs", "numberOfItems", "types", "detectPatterns",
    ]
}

@available(*, unavailable)
extension UIPasteboard: @unchecked Sendable {}

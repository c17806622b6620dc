internal import AccessLog
internal import Dispatch

/// https://developer.apple.com/documentation/uikit/uipasteboard
///
/// Neither of the main actor nor sendable. Answers as a test says, and notes each access.
open class UIPasteboard: NSObject {
    /// Blocks on request, as other devices' clipboards have made it.
    open class var general: UIPasteboard { forTests.log.note("general") { UIPasteboard() } }

    /// https://developer.apple.com/documentation/uikit/uipasteboard/detectedvalues
    public struct DetectedValues {
        public var probableWebURL: String { "" }
    }

    private var stage: PasteboardStage { Self.forTests }

    // MARK: Silent

    open var changeCount: Int { stage.log.note("changeCount") { stage.changeCount } }
    open var hasURLs: Bool { stage.log.note("hasURLs") { stage.silently(false, \.hasURLs) } }

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
    package static let silentAccesses: Set = ["general", "changeCount", "hasURLs", "detectPatterns"]
}

@available(*, unavailable)
extension UIPasteboard: @unchecked Sendable {}

/// Foundation's on Apple's platforms; Linux has none. UIKit, AppKit and SwiftUI hand it on with the rest of Foundation.
public typealias NSErrorPointer = UnsafeMutablePointer<NSError?>?

public protocol NSFilePresenter: NSObjectProtocol {}

public class NSFileCoordinator: NSObject {
    public struct ReadingOptions: OptionSet, Sendable {
        public let rawValue: UInt
        public init(rawValue: UInt) { self.rawValue = rawValue }
    }

    public init(filePresenter: (any NSFilePresenter)?) {}

    /// Calls the closure with where the file is before it returns, or sets the error and doesn't call it.
    public func coordinate(
        readingItemAt url: URL,
        options: ReadingOptions = [],
        error outError: NSErrorPointer,
        byAccessor reader: (URL) -> Void
    ) {
        switch FileProviders.forTests.begin(url) {
        case .success(let place): reader(place)
        case .failure(let error): outError?.pointee = error
        }
        FileProviders.forTests.end()
    }
}

/// Where a file is that another app provides, as a test says.
public final class FileProviders: @unchecked Sendable {
    public static let forTests = FileProviders()

    private let lock = NSLock()
    private var answers: [URL: Result<URL, NSError>] = [:]
    private var log: [String] = []
    private var inTask = false

    /// What happens: a coordinated read begins and ends, and the scope of a file is entered and left.
    public var accesses: [String] { lock.withLock { log } }
    /// Whether one of the threads that Swift runs tasks on has waited for a file.
    public var hasBlockedTask: Bool { lock.withLock { inTask } }

    public func reset(_ newAnswers: [URL: Result<URL, NSError>] = [:]) {
        lock.withLock { (answers, log, inTask) = (newAnswers, [], false) }
    }

    func begin(_ url: URL) -> Result<URL, NSError> {
        let isInTask = withUnsafeCurrentTask { $0 != nil }
        return lock.withLock {
            log.append("begin")
            inTask = inTask || isInTask
            return answers[url] ?? .success(url)
        }
    }

    func end() { lock.withLock { log.append("end") } }

    func note(_ access: String) { lock.withLock { log.append(access) } }
}

package import AccessLog

extension UIPasteboard {
    /// What a test puts there.
    package struct Content: Sendable {
        package var strings: [String]?
        package var urls: [URL]?
        package var hasURLs: Bool
        package var types: [String]

        /// Whether the first item looks like an address.
        package var detection: Result<Bool, any Error>

        package init(
            strings: [String]? = nil,
            urls: [URL]? = nil,
            hasURLs: Bool? = nil,
            types: [String] = [],
            detection: Result<Bool, any Error> = .success(false)
        ) {
            self.strings = strings
            self.urls = urls
            self.hasURLs = hasURLs ?? (urls != nil)
            self.types = types
            self.detection = detection
        }

        /// What an app puts there, of the types that the library reads.
        init(items: [[String: Any]]) {
            let strings = items.compactMap { $0["public.utf8-plain-text"] as? String }
            let urls = items.compactMap { $0["public.url"] as? URL }
            self.init(strings: strings.isEmpty ? nil : strings, urls: urls.isEmpty ? nil : urls)
        }

        var numberOfItems: Int { max(strings?.count ?? 0, urls?.count ?? 0) }
    }

    /// A person whom the system asks whether the app may paste.
    package enum Person: Sendable {
        /// Allowed it for good, in Settings: nobody is asked.
        case hasAllowed
        case allows
        case declines
    }
}

/// The state of the general pasteboard: its content, the person, and whether the app is active.
package final class PasteboardStage: @unchecked Sendable {
    package let log = AccessLog()

    private let lock = NSLock()
    private var content = UIPasteboard.Content()
    private var count = 0
    private var seenCount = 0
    private var allowedCount: Int?
    private var isInFront = true
    private var isActive = true
    private var person = UIPasteboard.Person.hasAllowed
    private var thought: Latch?
    private var asked = 0

    /// How often the system has asked the person.
    package var questions: Int { lock.withLock { asked } }

    /// Puts something on the pasteboard. An app that isn't active learns that at its next activation.
    package func put(_ newContent: UIPasteboard.Content) {
        lock.withLock {
            content = newContent
            count += 1
            if isActive { seenCount = count }
        }
    }

    /// Who is asked. With a latch they think until it is opened, and meanwhile the app isn't active.
    package func ask(_ newPerson: UIPasteboard.Person, thinking latch: Latch? = nil) {
        lock.withLock { (person, thought) = (newPerson, latch) }
    }

    package func reset() {
        lock.withLock {
            content = UIPasteboard.Content()
            count += 1
            seenCount = count
            (person, thought, allowedCount, asked) = (.hasAllowed, nil, nil, 0)
        }
        log.reset()
    }

    // MARK: For the stand-ins

    var changeCount: Int { lock.withLock { seenCount } }

    func appDidChange(isInFront: Bool, isActive: Bool) {
        lock.withLock {
            (self.isInFront, self.isActive) = (isInFront, isActive)
            if isActive { seenCount = count }
        }
    }

    func countQuestion() { lock.withLock { asked += 1 } }

    /// What the system tells without asking: nothing to an app that isn't in front.
    func silently<Value>(_ nothing: Value, _ value: (UIPasteboard.Content) -> Value) -> Value {
        lock.withLock { isInFront ? value(content) : nothing }
    }

    /// What the system tells once it has asked. An answer counts for this content; *Don't Allow* counts for one access.
    func read<Value>(_ value: (UIPasteboard.Content) -> Value?) -> Value? {
        let question: (person: UIPasteboard.Person, thought: Latch?)? = lock.withLock {
            guard isInFront, person != .hasAllowed, allowedCount != count else { return nil }
            asked += 1
            return (person, thought)
        }
        if let question {
            UIApplication.questionBegins()
            question.thought?.wait()
            UIApplication.questionEnds()
            guard question.person == .allows else { return nil }
        }
        return lock.withLock {
            guard isInFront else { return nil }
            if question != nil { allowedCount = count }
            return value(content)
        }
    }
}

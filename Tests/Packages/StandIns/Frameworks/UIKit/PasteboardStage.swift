package import AccessLog

extension UIPasteboard {
    /// What a test puts there.
    package struct Content: @unchecked Sendable {
        /// One value for each type of an item: a `URL`, a `String` or `Data`.
        package var items: [[String: Any]]
        package var hasURLs: Bool

        /// Whether the first item looks like an address.
        package var detection: Result<Bool, any Error>

        /// Items that an app or a page writes. An item of an address's type counts as an address, whatever its value is.
        package init(
            items: [[String: Any]],
            hasURLs: Bool? = nil,
            detection: Result<Bool, any Error> = .success(false)
        ) {
            self.items = items
            self.hasURLs = hasURLs ?? items.contains { $0["public.url"] != nil }
            self.detection = detection
        }

        /// Texts and addresses: the first text and the first address make the first item.
        package init(
            strings: [String]? = nil,
            urls: [URL]? = nil,
            detection: Result<Bool, any Error> = .success(false)
        ) {
            let (strings, urls) = (strings ?? [], urls ?? [])
            let items = (0..<max(strings.count, urls.count)).map { index in
                var item: [String: Any] = [:]
                if strings.indices.contains(index) { item["public.utf8-plain-text"] = strings[index] }
                if urls.indices.contains(index) { item["public.url"] = urls[index] }
                return item
            }
            self.init(items: items, detection: detection)
        }
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

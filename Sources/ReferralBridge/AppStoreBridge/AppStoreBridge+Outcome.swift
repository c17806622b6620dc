extension AppStoreBridge {
    /// The result of a check for a referral, or the reason why it hasn't ended.
    public indirect enum Outcome: Sendable, Equatable {
        // MARK: A referral

        /// A referral was found, and reported to the delegate or the closure.
        case found(Arrival)

        /// A referral was found, and the bridge keeps it until ``AppStoreBridge/releaseArrivals()``, unless it keeps a newer or a signed
        /// one: see ``AppStoreBridge/holdsArrivals``.
        case held(Arrival)

        /// A referral was found, but there is neither a delegate nor a closure for arrivals. The next check, or the same call again,
        /// reports it.
        case unreported(Arrival)

        // MARK: No referral

        /// The silent probe found no link. The bridge didn't read the pasteboard, and the system didn't prompt.
        case noLinkDetected

        /// The pasteboard hasn't changed since it was read. The bridge didn't read it again, and the system didn't
        /// prompt.
        case unchanged

        /// The read returned nothing: the user declined, or the pasteboard was empty. The system doesn't report which.
        /// The bridge reads this content only once more, at the next activation of the app.
        case emptyOrDenied

        /// The pasteboard or the App Clip's file couldn't be read. The next activation of the app tries again.
        ///
        /// Since macOS 15.4, the error is ``PasteboardError/accessDenied`` if the system's settings deny the app access. A paste
        /// button still works. A file of the App Clip that can't be used is removed.
        case readFailed(Failure)

        /// No string contains a referral that counts. The result has a verdict on each.
        case noReferral(ScanResult)

        /// The bridge didn't look at the pasteboard: the App Clip has brought a referral to this launch, or the policy is
        /// ``AttributionPolicy/firstLaunch``, and the first launch has ended.
        case skipped

        // MARK: Not yet

        /// The pasteboard hasn't answered within the time limit, for example because the system is still asking the
        /// user. When the answer arrives, the bridge reports the referral and the outcome of the check.
        case stillReading

        /// The app isn't active. The check starts when it becomes active, and the bridge reports its outcome.
        case waitingForActivation

        /// The ledger can't be read yet, since the device hasn't been unlocked. The next activation of the app checks
        /// again.
        case waitingForUnlock
    }

    /// The reason why a pasteboard or a file couldn't be read.
    public struct Failure: Error, Sendable, Equatable, CustomStringConvertible {
        /// The error.
        public let underlyingError: any Error

        /// The error's own text.
        public var description: String { String(describing: underlyingError) }

        init(_ error: any Error) { underlyingError = error }

        /// Whether two failures have the same text.
        public static func == (left: Self, right: Self) -> Bool { left.description == right.description }
    }
}

extension AppStoreBridge.Outcome: CustomStringConvertible {
    /// The arrival that was found, whether or not it was reported.
    public var arrival: Arrival? {
        switch self {
        case .found(let arrival), .held(let arrival), .unreported(let arrival): arrival
        default: nil
        }
    }

    /// The name of the referrer that was found.
    public var referrer: String? { arrival?.referrer }

    /// A sentence suitable for a log. It doesn't contain any of the pasteboard's content, not even the referrer.
    public var description: String { sentence.text }

    private var sentence: Sentence {
        switch self {
        case .found: "A referral was found and reported."
        case .held: "A referral was found, and is kept until the app releases it."
        case .unreported: "A referral was found, but nobody is told: there is no closure and no delegate."
        case .noLinkDetected: "There is no link on the pasteboard; it was not read."
        case .unchanged: "The pasteboard has not changed since it was read; it was not read again."
        case .emptyOrDenied: "The pasteboard gave nothing: the person declined, or it is empty."
        case .readFailed(let failure): "A read failed: \(reason: failure.description)"
        case .noReferral(let result): "No referral for this app:\(Self.reasons(result.judgments))"
        case .skipped: "The first launch is over, or the App Clip brought a referral; the pasteboard was not looked at."
        case .stillReading: "The pasteboard has not answered yet; what it gives is reported when it comes."
        case .waitingForActivation: "The app is not in front; the check begins when it is."
        case .waitingForUnlock: "The device is locked, and the ledger can't be read; the next activation checks again."
        }
    }

    private static func reasons(_ judgments: [Judgment]) -> Sentence {
        var text: Sentence = ""
        for (index, judgment) in judgments.enumerated() {
            if index == 5 { return "\(text) And \(judgments.count - index) more." }
            text = "\(text) \(reason: judgment.description)"
        }
        return text
    }
}

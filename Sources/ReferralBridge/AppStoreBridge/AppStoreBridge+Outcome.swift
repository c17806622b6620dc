extension AppStoreBridge {
    /// The result of a check for a referral, or the reason why it hasn't ended.
    public indirect enum Outcome: Sendable, Equatable {
        // MARK: A referral

        /// A referral was found, and reported to the delegate or the closure.
        case found(Arrival)

        /// A referral was found, and the bridge keeps it until ``AppStoreBridge/releaseArrivals()``.
        case held(Arrival)

        /// A referral was found, but there is neither a closure nor a delegate that implements a method for arrivals. The next check,
        /// or the same call again, reports it.
        case unreported(Arrival)

        // MARK: No referral

        /// The silent probe found no link. The bridge didn't read the pasteboard, and the system didn't prompt.
        case noLinkDetected

        /// There is a link, but no web page's script copied it, which ``PasteboardProbe/copiedByAPage`` requires. The bridge didn't read
        /// the pasteboard, and the system didn't prompt. The types are those of the pasteboard's content.
        case notCopiedByAPage(types: [String])

        /// The pasteboard hasn't changed since it was read. The bridge didn't read it again, and the system didn't
        /// prompt.
        case unchanged

        /// The read returned nothing: the user declined, or the pasteboard was empty. The system doesn't report which.
        /// The bridge reads this content only once more, at the next activation of the app.
        case emptyOrDenied

        /// The pasteboard couldn't be read. The next activation of the app tries again.
        case readFailed(Failure)

        /// The system's settings deny the app access to the pasteboard. The bridge didn't read it, and the system
        /// didn't prompt. The next activation of the app checks again, since the user can change the setting.
        ///
        /// Only macOS 15.4 and later report this. A paste button still works.
        case accessDenied

        /// No string contains a referral that counts. The result has a verdict on each.
        case noReferral(ScanResult)

        /// The App Clip has brought a referral to this launch, so the bridge doesn't look at the pasteboard.
        case skippedAfterClip

        /// The App Clip has left a file that doesn't count. The bridge has removed it, and continues with the pasteboard.
        case clipIgnored(ClipProblem)

        /// The policy is ``AttributionPolicy/firstLaunch``, and the first launch has ended.
        case skippedByPolicy

        // MARK: Not yet

        /// The pasteboard hasn't answered within the time limit, for example because the system is still asking the
        /// user. When the answer arrives, the bridge reports the referral and the outcome of the check.
        ///
        /// The silent probe has its own time limit of 2 seconds. After this limit, the bridge also reports this
        /// outcome, and each later check probes again.
        case stillReading

        /// The app isn't active. The check starts when it becomes active, and the bridge reports its outcome.
        case waitingForActivation

        /// The ledger can't be read yet, since the device hasn't been unlocked. The next activation of the app checks
        /// again.
        case waitingForUnlock
    }

    /// The reason why a pasteboard or a file couldn't be read.
    public struct Failure: Error, Sendable {
        /// The error.
        public let underlyingError: any Error

        init(_ error: any Error) {
            underlyingError = error
        }
    }
}

extension AppStoreBridge.Outcome {
    /// The outcome of a check whose probe or read threw an error.
    static func failed(_ failure: AppStoreBridge.Failure) -> Self {
        failure.underlyingError as? PasteboardError == .accessDenied ? .accessDenied : .readFailed(failure)
    }

    /// The arrival that was found, whether or not it was reported.
    public var arrival: Arrival? {
        switch self {
        case .found(let arrival), .held(let arrival), .unreported(let arrival): arrival
        default: nil
        }
    }

    /// Whether the check hasn't ended. The bridge reports its outcome later.
    public var isPending: Bool {
        switch self {
        case .stillReading, .waitingForActivation, .waitingForUnlock: true
        default: false
        }
    }
}

extension AppStoreBridge.Outcome: CustomStringConvertible {
    /// A sentence suitable for a log. It doesn't contain any of the pasteboard's content, not even the referrer.
    public var description: String { sentence.text }

    private var sentence: Sentence {
        switch self {
        case .found: "A referral was found and reported."
        case .held: "A referral was found, and is kept until the app releases it."
        case .unreported:
            "A referral was found, but nobody is told: there is no closure, and no delegate with the method "
                + "appStoreBridge(_:didReceive:)."
        case .noLinkDetected: "There is no link on the pasteboard; it was not read."
        case .notCopiedByAPage(let types):
            "No web page copied the link on the pasteboard; it was not read. Its types: \(reason: types.joined(separator: ", "))."
        case .unchanged: "The pasteboard has not changed since it was read; it was not read again."
        case .emptyOrDenied: "The pasteboard gave nothing: the person declined, or it is empty."
        case .readFailed(let failure): "The pasteboard could not be read: \(reason: failure.description)."
        case .accessDenied: "The system's settings deny the app access to the pasteboard; it was not read."
        case .noReferral(let result): "No referral for this app:\(Self.reasons(result.judgments))"
        case .skippedAfterClip: "The App Clip has brought a referral; the pasteboard was not looked at."
        case .clipIgnored(let problem): "The file of the App Clip was ignored: \(reason: problem.description)."
        case .skippedByPolicy: "The first launch is over; the pasteboard was not looked at."
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

extension AppStoreBridge.Failure: Equatable, CustomStringConvertible {
    /// The error's own text.
    public var description: String { String(describing: underlyingError) }

    /// Whether two failures have the same text.
    public static func == (left: Self, right: Self) -> Bool { left.description == right.description }
}

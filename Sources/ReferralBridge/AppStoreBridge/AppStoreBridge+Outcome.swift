extension AppStoreBridge {
    /// How a check for a referral ended, or why it goes on.
    public indirect enum Outcome: Sendable, Equatable {
        // MARK: A referral

        /// A referral was found, and the delegate or the closure was told.
        case found(Referral)

        /// A referral was found, but there is neither a delegate nor a closure to tell. It isn't used up: the next
        /// check, or the same call again, reports it.
        case unreported(Referral)

        // MARK: No referral

        /// The silent probe found no link. The bridge read nothing, and the system asked nobody.
        case noLinkDetected

        /// The pasteboard hasn't changed since it was read. The bridge didn't read it again, and the system asked
        /// nobody.
        case unchanged

        /// The read gave nothing: the person declined, or the pasteboard was empty. The system doesn't tell which. The
        /// next activation of the app reads it once more, and then no more.
        case emptyOrDenied

        /// The pasteboard couldn't be read. The next activation of the app tries again.
        case readFailed(Failure)

        /// The system's settings deny the app access to the pasteboard. The bridge read nothing, and the system asked
        /// nobody. The next activation of the app looks again, since the person can change the setting.
        ///
        /// Only a Mac tells this, from macOS 15.4 on. A paste button is another way.
        case accessDenied

        /// No string contains a referral that counts. The result has a verdict on each.
        case noReferral(ScanResult)

        /// The policy is ``AttributionPolicy/firstLaunch``, and the first launch is over.
        case skippedByPolicy

        /// A referral was found, but the person had the app before the tap, which
        /// ``AttributionPolicy/firstDownload(date:)`` rules out.
        case installedBeforeTap

        // MARK: Not yet

        /// The time limit is over and the pasteboard hasn't answered, for example because the system is still asking
        /// the person. The referral is reported when the answer comes, and the bridge tells how the check ended.
        ///
        /// The silent probe has a time limit of its own, 2 seconds. After it the bridge tells this outcome, and each
        /// later check probes again.
        case stillReading

        /// The app isn't active. The check begins when it becomes active, and the bridge tells how it ended.
        case waitingForActivation

        /// The ledger can't be read yet, since the device hasn't been unlocked. The next activation of the app checks
        /// again.
        case waitingForUnlock

        /// A referral was found, but when the person first got the app isn't known yet. The bridge keeps the referral
        /// and asks again: 2 seconds later, 10 seconds after that, 60 seconds after that, and at each activation of the
        /// app.
        case storeUnavailable(Failure)
    }

    /// What kept a pasteboard or a store from answering.
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

    /// The referral that was found, whether or not anybody was told.
    public var referral: Referral? {
        switch self {
        case .found(let referral), .unreported(let referral): referral
        default: nil
        }
    }

    /// Whether the check isn't over: the bridge tells how it ends.
    public var isPending: Bool {
        switch self {
        case .stillReading, .waitingForActivation, .waitingForUnlock, .storeUnavailable: true
        default: false
        }
    }
}

extension AppStoreBridge.Outcome: CustomStringConvertible {
    /// A sentence fit for a log, with nothing of the pasteboard's content in it, not even the referrer.
    public var description: String {
        switch self {
        case .found: "A referral was found and reported."
        case .unreported: "A referral was found, but there is neither a delegate nor a closure to tell."
        case .noLinkDetected: "There is no link on the pasteboard; it was not read."
        case .unchanged: "The pasteboard has not changed since it was read; it was not read again."
        case .emptyOrDenied: "The pasteboard gave nothing: the person declined, or it is empty."
        case .readFailed(let failure): "The pasteboard could not be read: " + failure.description + "."
        case .accessDenied: "The system's settings deny the app access to the pasteboard; it was not read."
        case .noReferral(let result): "No referral for this app:" + Self.reasons(result.judgments)
        case .skippedByPolicy: "The first launch is over; the pasteboard was not looked at."
        case .installedBeforeTap: "A referral was found, but the person had the app before the tap."
        case .stillReading: "The pasteboard has not answered yet; what it gives is reported when it comes."
        case .waitingForActivation: "The app is not in front; the check begins when it is."
        case .waitingForUnlock: "The device is locked, and the ledger cannot be read; the next activation checks again."
        case .storeUnavailable(let failure):
            "When the person first got the app is not known yet: " + failure.description + "."
        }
    }

    private static func reasons(_ judgments: [Judgment]) -> String {
        var text = ""
        for (index, judgment) in judgments.enumerated() {
            if index == 5 { return text + " And " + String(judgments.count - index) + " more." }
            text += " " + judgment.description
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

/// Something took longer than the time limit.
struct TimeLimitExceeded: Error, CustomStringConvertible {
    var description: String { "there was no answer in time" }
}

public import ReferralFoundation

/// A reason to offer the user to bring the data along. Ask in the app's own words, and then accept or decline.
///
/// ```swift
/// if let suggestion = try await receiver.suggestion(after: arrival), await ask("Bring your boards along?") {
///     switch try await suggestion.accept() { … }
/// }
/// ```
public struct HandoffSuggestion: Sendable {
    /// Why the data should be offered.
    public enum Reason: Sendable, Equatable {
        /// A link of the sending app has led the user here.
        case arrival
        /// This package is in the folder that both apps share.
        case package(HandoffManifest)
    }

    /// The next step after the user has agreed.
    public enum Step: Sendable {
        /// Open this address. The sending app answers with a package.
        case open(URL)
        /// The package has arrived. Show its contents, and ask the user for a decision.
        case offer(HandoffOffer)
    }

    /// Why the data should be offered.
    public let reason: Reason

    let receiver: HandoffReceiver

    /// Requests the data, or opens the package in the shared folder. Call it after the user has agreed.
    ///
    /// - Returns: The next step.
    /// - Throws: ``HandoffError``. The suggestion remains then, and you can try again.
    public func accept() async throws(HandoffError) -> Step { try await receiver.accept(self) }

    /// Ends the suggestion. A package stays in the shared folder.
    public func decline() async throws(HandoffError) { try await receiver.endSuggestions() }
}

extension HandoffReceiver {
    /// The reason to offer the user to bring the data along, until the user has accepted or declined once.
    ///
    /// Call it at launch, and again in the bridge's `onArrival`. A package in the shared folder is a reason without an arrival
    /// too. A link is no reason if data has already been accepted.
    ///
    /// - Parameter arrival: The arrival that the bridge has reported; `nil`, the default, without one.
    /// - Returns: The suggestion; `nil` if there is no reason, or if the user has already accepted or declined one.
    /// - Throws: ``HandoffError/fileFailed(path:reason:)`` if the storage or the shared folder can't be read.
    public func suggestion(
        after arrival: Arrival? = nil
    ) throws(HandoffError) -> HandoffSuggestion? {
        let remembered = try record.value()
        guard !remembered.isSuggestionOver else { return nil }
        let manifests = try packages().compactMap { try? $0.manifest.get() }
        if let manifest = manifests.first(where: { !remembered.hasAccepted($0) }) {
            return HandoffSuggestion(reason: .package(manifest), receiver: self)
        }
        guard let arrival, route.isRequested(by: arrival), !remembered.hasAcceptedAny else { return nil }
        return HandoffSuggestion(reason: .arrival, receiver: self)
    }

    func accept(_ suggestion: HandoffSuggestion) throws(HandoffError) -> HandoffSuggestion.Step {
        let step: HandoffSuggestion.Step =
            switch suggestion.reason {
            case .arrival: .open(try request())
            case .package(let manifest): .offer(try open(manifest))
            }
        // The user has agreed, so at worst they are asked once more.
        try? endSuggestions()
        return step
    }

    func endSuggestions() throws(HandoffError) { try record.change { record in record.endSuggestions() } }
}

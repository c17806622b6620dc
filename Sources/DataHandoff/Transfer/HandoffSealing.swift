/// Whether packages on a link are sealed, and with which cryptography. Both apps must choose the same.
public enum HandoffSealing: Sendable {
    /// Seals with the system's cryptography, CryptoKit.
    ///
    /// Platforms other than Apple's have none: there, a sender and a receiver throw ``HandoffError/noSealer``.
    case system

    /// Seals with other cryptography.
    case custom(any HandoffSealer)

    /// Doesn't seal. The receiver accepts open packages, and the sender puts no data on a link unless its
    /// `allowsOpenLinks` is `true`.
    case unsealed

    /// The sealer; `nil` if packages aren't sealed.
    ///
    /// - Throws: ``HandoffError/noSealer``.
    func sealer() throws(HandoffError) -> (any HandoffSealer)? {
        switch self {
        case .system:
            guard let sealer = Self.systemSealer else { throw .noSealer }
            return sealer
        case .custom(let sealer): return sealer
        case .unsealed: return nil
        }
    }
}

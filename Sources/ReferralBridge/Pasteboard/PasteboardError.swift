/// Why a pasteboard can't be looked at.
public enum PasteboardError: Error, Sendable, Equatable {
    /// The system's settings deny the app all access, so that a read gives nothing and asks nobody.
    case accessDenied
}

extension PasteboardError: CustomStringConvertible {
    /// A sentence fit to show.
    public var description: String { "The system's settings deny the app access to the pasteboard." }
}

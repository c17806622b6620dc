/// Why a pasteboard can't be probed or read.
public enum PasteboardError: Error, Sendable, Equatable {
    /// The system's settings deny the app all access. A read would return nothing, without a prompt.
    case accessDenied
}

extension PasteboardError: CustomStringConvertible {
    /// A sentence suitable for display.
    public var description: String { "The system's settings deny the app access to the pasteboard." }
}

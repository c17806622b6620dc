package import ReferralFoundation

/// Why something can't be done with a file or a folder.
package enum FileProblem: Sendable, Equatable, CustomStringConvertible {
    /// The system's error, a value of `errno`.
    case system(Int32)
    case notAFile
    case notAFolder

    /// Whether the disk or the user's share of it is full.
    package var isNoSpace: Bool { self == .system(ENOSPC) || self == .system(EDQUOT) }

    /// The end of a sentence.
    package var description: String {
        switch self {
        case .system(let code): String(cString: strerror(code))
        case .notAFile: "it isn't a file"
        case .notAFolder: "it isn't a folder"
        }
    }
}

/// The errors of a library that uses files.
package protocol FileFailure: Error {
    init(_ problem: FileProblem, at url: URL)
}

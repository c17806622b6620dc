#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// Why data didn't travel from one app into the other. Nothing has changed in either of them.
public enum HandoffError: Error, Sendable, Equatable {
    // MARK: The package, in the order of the checks

    /// The bytes aren't a package, or one of a later kind.
    case notAPackage

    /// The package is sealed, and can't be opened here.
    case sealed

    /// The manifest is cut off, too long, or not as it must be.
    case invalidManifest

    /// The package is for another app, the one with this bundle identifier.
    case wrongReceiver(String)

    /// The package is from another app than the route's sender, the one with this bundle identifier.
    case wrongSender(String)

    /// The data is of a later version than this app knows. An update of the app helps.
    case newerSchema(Int)

    /// The data is of an earlier version than this app takes.
    case unsupportedSchema(Int)

    /// A file has a name that isn't safe, or two names are the same to a file system.
    case invalidName(String)

    /// There are more files than the receiver takes.
    case tooManyFiles

    /// The files together are larger than the receiver takes.
    case tooLarge

    /// The package is compressed, and there is no `Compression` framework here.
    case codecUnavailable

    /// There are fewer bytes than the manifest says.
    case truncated

    /// There are more bytes than the manifest says.
    case trailingBytes

    /// A file isn't what the manifest says, or a compressed package can't be read.
    case corrupt

    /// The package holds no files.
    case noFiles

    /// The list of the files is longer than the carrier allows: 64 KiB on a link and in a file, and 4 MiB in the shared folder.
    /// Send fewer files, such as an archive of them.
    case listTooLong

    // MARK: The files

    /// The device has no space left.
    case noSpace

    /// A file or a folder can't be read or written, for the system's reason.
    case fileFailed(path: String, reason: String)

    /// Something is in the place of a file that must not replace it.
    case fileExists(String)

    /// A database is open: beside the file with this name is a write-ahead log with changes that the file doesn't have yet.
    /// Send a copy that SQLite made with `VACUUM INTO`.
    case openDatabase(String)

    // MARK: The link

    /// The address isn't a handoff link of this app.
    case notALink

    /// The address is longer than 1,000,000 bytes.
    case linkTooLong

    /// An item of the link is missing or empty.
    case missingPayload

    /// An item of the link isn't strict base64url, or has another length than it must have.
    case malformedPayload

    // MARK: The other app

    /// Another app than the expected one opened this one, or one that the system doesn't name.
    case unexpectedApp(String?)

    /// Nobody asked for this, or more than ten minutes ago, or it was answered before.
    case unrequested

    /// The answer is open, but a sealed one was asked for.
    case openAnswer

    /// Nothing may travel openly on this link, and there is no way to seal it.
    case notSealed

    /// The package is too large for a link. The carriers that are left have room for it.
    case tooLargeForLink(left: [HandoffCarrier])

    /// The app's route has no shared folder.
    case noGroup

    /// The package that the link names isn't in the shared folder.
    case packageMissing

    /// The offer was installed, merged or declined before, or is being merged now.
    case alreadyDecided

    /// The other app isn't installed, or doesn't open addresses of its scheme.
    case otherAppMissing

    /// The app's own code failed, for its reason.
    case appFailed(String)
}

extension HandoffError: CustomStringConvertible {
    /// A sentence fit to show.
    public var description: String {
        switch self {
        case .notAPackage: "This is not a package of data, or one that only a newer version can read."
        case .sealed: "The package is sealed, and cannot be opened here."
        case .invalidManifest: "The list of what the package holds cannot be read."
        case .wrongReceiver(let receiver): "The package is for another app, \(receiver.debugDescription)."
        case .wrongSender(let sender): "The package is from another app, \(sender.debugDescription)."
        case .newerSchema: "The data comes from a newer version. Update this app first."
        case .unsupportedSchema: "The data comes from a version that is too old for this app."
        case .invalidName(let name): "The package holds a file with a name that is not safe, \(name.debugDescription)."
        case .tooManyFiles: "The package holds more files than this app takes."
        case .tooLarge: "The package holds more data than this app takes."
        case .codecUnavailable: "The package is compressed, and cannot be read on this system."
        case .truncated: "The package is not complete."
        case .trailingBytes: "The package is longer than it says."
        case .corrupt: "The package is damaged."
        case .noFiles: "The package holds no files."
        case .listTooLong: "There are too many files for a link or a file. Use the folder that both apps share."
        case .noSpace: "There is no space left on this device."
        case .fileFailed(let path, let reason):
            "The file \(path.debugDescription) cannot be read or written: \(reason)."
        case .fileExists(let name): "There is a file \(name.debugDescription) already, which stays."
        case .openDatabase(let name):
            "The database \(name.debugDescription) is in use; it must be sent as a copy made with VACUUM INTO."
        case .notALink: "The address is not a handoff link of this app."
        case .linkTooLong: "The address is longer than 1,000,000 bytes."
        case .missingPayload: "The link carries nothing."
        case .malformedPayload: "The link is damaged."
        case .unexpectedApp(let app): "The link came from \(app.map(\.debugDescription) ?? "an unknown app")."
        case .unrequested: "Nobody asked for this, or it is too long ago."
        case .openAnswer: "The data came unprotected, though it was asked for sealed."
        case .notSealed: "The data cannot be protected on its way, so it is not sent."
        case .tooLargeForLink(let carriers):
            carriers.contains(.group)
                ? "There is too much data for a link. Use the folder that both apps share, or a file."
                : "There is too much data for a link. Use a file instead."
        case .noGroup: "The two apps share no folder."
        case .packageMissing: "The package is not in the folder that both apps share."
        case .alreadyDecided: "This offer was answered before."
        case .otherAppMissing: "The other app is not installed."
        case .appFailed(let reason): "The data could not be taken: \(reason)."
        }
    }
}

extension HandoffError: LocalizedError {
    /// The same as ``description``.
    public var errorDescription: String? { description }
}

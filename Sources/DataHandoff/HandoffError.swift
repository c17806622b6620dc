import ReferralFoundation

/// Why data didn't get from one app to the other. Nothing has changed in either app.
public enum HandoffError: Error, Sendable, Equatable {
    // MARK: The package, in the order of the checks

    /// The bytes aren't a package, or are a package in a later format.
    case notAPackage

    /// The package is sealed, and this app can't open it.
    case sealed

    /// The manifest is incomplete, too long, or malformed.
    case invalidManifest

    /// The package is for another app, with this bundle identifier.
    case wrongReceiver(String)

    /// The package isn't from the route's sender, but from the app with this bundle identifier.
    case wrongSender(String)

    /// The data has a later version than this app supports. The user should update the app.
    case newerSchema(Int)

    /// The data has an earlier version than this app supports.
    case unsupportedSchema(Int)

    /// A file has a name that isn't safe, or two names are the same to a file system.
    case invalidName(String)

    /// There are more files than the receiver accepts.
    case tooManyFiles

    /// The total size of the files is larger than the receiver accepts.
    case tooLarge

    /// The package is compressed, and this system has no `Compression` framework.
    case codecUnavailable

    /// There are fewer bytes than the manifest states.
    case truncated

    /// There are more bytes than the manifest states.
    case trailingBytes

    /// A file doesn't match its digest in the manifest, or a compressed package can't be read.
    case corrupt

    /// The user defaults can't be read, are larger than 1 MiB, contain a value that isn't of a property list's types or a key longer
    /// than 1,024 bytes, or are nested more than 64 deep.
    case invalidDefaults

    /// The package contains no files, and no user defaults that the receiver accepts.
    case noFiles

    /// The list of the files is longer than the carrier allows: 64 KiB on a link and in a file, and 4 MiB in the shared folder.
    /// Send fewer files, such as an archive of them.
    case listTooLong

    // MARK: The files

    /// The device has no space left.
    case noSpace

    /// A file or a folder can't be read or written. The system gives the reason.
    case fileFailed(path: String, reason: String)

    /// A file with this name already exists, and must not be replaced. It may also be a file that the package doesn't contain,
    /// but for which it contains one with the name of a write-ahead log or a rollback journal.
    case fileExists(String)

    /// A database is in use: its write-ahead log contains changes that aren't yet in the file with this name. Send a
    /// copy that SQLite made with `VACUUM INTO`.
    case openDatabase(String)

    // MARK: The link

    /// The address isn't a handoff link of this app.
    case notALink

    /// The address is longer than 1,000,000 bytes.
    case linkTooLong

    /// An item of the link is missing or empty.
    case missingPayload

    /// An item of the link isn't strict base64url, or has a wrong length.
    case malformedPayload

    // MARK: The other app

    /// The app was opened by an unexpected app, or by one that the system doesn't name.
    case unexpectedApp(String?)

    /// There was no request for this, or it was more than ten minutes ago, or it was already answered.
    case unrequested

    /// The answer is open, but a sealed one was requested.
    case openAnswer

    /// The data must be sealed on a link, but can't be.
    case notSealed

    /// The package is too large for a link. It fits the remaining carriers.
    case tooLargeForLink(left: [HandoffCarrier])

    /// The app's route has no shared folder.
    case noGroup

    /// The system has no cryptography to seal with. Pass a ``HandoffSealer``, or choose ``HandoffSealing/unsealed``.
    case noSealer

    /// The package that the link names isn't in the shared folder.
    case packageMissing

    /// The offer was already installed, merged or declined, or is being merged now.
    case alreadyDecided

    /// The other app isn't installed, or doesn't open addresses of its scheme. Lead the user to its page in the App Store.
    case otherAppMissing

    /// The other app is installed, and the user has declined to open it. They can try again.
    case openingDeclined

    /// The app's own code failed, for this reason.
    case appFailed(String)
}

extension HandoffError: DescribedError {
    /// A sentence suitable for display.
    public var description: String {
        // A reason may be a sentence itself.
        let text = sentence.text
        return text.hasSuffix("..") ? String(text.dropLast()) : text
    }

    private var sentence: Sentence {
        switch self {
        case .notAPackage: "This is not a package of data, or only a newer version can read it."
        case .sealed: "The package is sealed, and can't be opened here."
        case .invalidManifest: "The package's list of files can't be read."
        case .wrongReceiver(let receiver): "The package is for another app, \"\(name: receiver)\"."
        case .wrongSender(let sender): "The package is from another app, \"\(name: sender)\"."
        case .newerSchema: "The data comes from a newer version. Update this app first."
        case .unsupportedSchema: "The data comes from a version that is too old for this app."
        case .invalidName(let name): "The package contains a file with an unsafe name, \"\(name: name)\"."
        case .tooManyFiles: "The package contains more files than the receiving app accepts."
        case .tooLarge: "The package contains more data than this app accepts."
        case .codecUnavailable: "The package is compressed, and can't be read on this system."
        case .truncated: "The package is not complete."
        case .trailingBytes: "The package is longer than its list of files states."
        case .corrupt: "The package is damaged."
        case .invalidDefaults: "The settings can't be read, or are larger than 1 MiB."
        case .noFiles: "The package contains no files."
        case .listTooLong: "There are too many files for a link or a file. Use the folder that both apps share."
        case .noSpace: "There is no space left on this device."
        case .fileFailed(let path, let reason):
            "The file \"\(reason: path)\" can't be read or written: \(reason: reason)."
        case .fileExists(let name): "The file \"\(name: name)\" already exists, and was not replaced."
        case .openDatabase(let name):
            "The database \"\(name: name)\" is in use; it must be sent as a copy made with VACUUM INTO."
        case .notALink: "The address is not a handoff link of this app."
        case .linkTooLong: "The address is longer than 1,000,000 bytes."
        case .missingPayload: "The link contains no data."
        case .malformedPayload: "The link is damaged."
        case .unexpectedApp(let app):
            "The link came from \(app.map { "\"\(name: $0)\"" } ?? "an unknown app" as Sentence)."
        case .unrequested: "There was no request for this, or it was too long ago."
        case .openAnswer: "The data is not sealed, but sealed data was requested."
        case .notSealed: "The data can't be sealed, so it is not sent."
        case .tooLargeForLink(let carriers):
            carriers.contains(.group)
                ? "There is too much data for a link. Use the folder that both apps share, or a file."
                : "There is too much data for a link. Use a file instead."
        case .noGroup: "The two apps do not share a folder."
        case .noSealer: "Without CryptoKit there is no sealer; bring a HandoffSealer, or choose unsealed."
        case .packageMissing: "The package is not in the folder that both apps share."
        case .alreadyDecided: "This offer has already been answered."
        case .otherAppMissing: "The other app is not installed."
        case .openingDeclined: "The other app was not opened."
        case .appFailed(let reason): "The data could not be added: \(reason: reason)."
        }
    }
}

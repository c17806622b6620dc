import ReferralFoundation

/// What an App Clip has left: the address that opened it, and when.
package struct ClipFile {
    package let address: String
    package let opened: Timestamp

    /// Reads the contents of the file.
    ///
    /// - Throws: The first reason for which it is ignored.
    package init(_ bytes: [UInt8], now: Timestamp, window: AttributionWindow) throws(ClipProblem) {
        guard bytes.count <= ClipHandover.maximumFileLength else { throw .tooLarge }
        guard String(bytes: bytes, encoding: .utf8) != nil else { throw .notJSON }
        var (format, address, opened): (Double?, String?, Double?)
        let isObject = bytes.withUnsafeBufferPointer { bytes in
            var reader = JSONReader(bytes)
            // If a member is repeated, the last one counts, whatever its type.
            let object: Void? = try? reader.readObject { name, value in
                if name.isEqual(to: "format") {
                    format = value.number
                } else if name.isEqual(to: "address") {
                    address = value.string
                } else if name.isEqual(to: "opened") {
                    opened = value.number
                }
            }
            return object != nil
        }
        guard isObject else { throw .notJSON }
        guard format == 1 else { throw .otherFormat }
        guard let address, let opened, 1e11..<1e16 ~= opened else { throw .malformed }
        self.address = address
        self.opened = Timestamp(milliseconds: opened)
        guard !window.isFuture(self.opened, at: now) else { throw .fromTheFuture }
    }
}

/// Why the bridge ignores what an App Clip has left.
public enum ClipProblem: Error, Sendable, Equatable {
    /// The file is larger than 256 KiB.
    case tooLarge

    /// The file isn't a JSON object in UTF-8.
    case notJSON

    /// The file has another format, such as that of a later version.
    case otherFormat

    /// The file has no address or no valid time.
    case malformed

    /// The address opened the clip later than now, by more than the clock tolerance.
    case fromTheFuture

    /// The file can't be read. It stays where it is.
    case unreadable(AppStoreBridge.Failure)
}

extension ClipProblem: CustomStringConvertible {
    /// The end of a sentence.
    public var description: String { sentence.text }

    private var sentence: Sentence {
        switch self {
        case .tooLarge: "it is larger than 256 KiB"
        case .notJSON: "it isn't a JSON object"
        case .otherFormat: "it has another format"
        case .malformed: "it has no address or no valid time"
        case .fromTheFuture: "the address opened the App Clip later than now"
        case .unreadable(let failure): "it can't be read: \(reason: failure.description)"
        }
    }
}

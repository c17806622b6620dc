/// What an App Clip has left: the address that opened it, and when.
package struct ClipFile {
    package let address: String
    package let opened: Timestamp

    /// Reads the contents of the file.
    ///
    /// - Throws: The first reason for which it is ignored.
    package init(_ bytes: [UInt8], now: Timestamp, window: AttributionWindow) throws(ClipProblem) {
        guard bytes.count <= ClipHandover.maximumFileLength else { throw .tooLarge }
        var (format, address, opened): (Double?, String?, Double?)
        let isObject = bytes.withUnsafeBufferPointer { bytes in
            guard String(decoding: bytes, as: UTF8.self).utf8.elementsEqual(bytes) else { return false }
            var reader = JSONReader(bytes)
            // If a member is repeated, the last one counts, whatever its type.
            let object: Void? = try? reader.readObject { name, value in
                if name.isEqual(to: "format") { format = value.number }
                if name.isEqual(to: "address") { address = value.string }
                if name.isEqual(to: "opened") { opened = value.number }
            }
            return object != nil
        }
        guard isObject else { throw .notJSON }
        guard format == 1 else { throw .otherFormat }
        guard let address, let opened, Timestamp.validMilliseconds ~= opened else { throw .malformed }
        self.address = address
        self.opened = Timestamp(milliseconds: opened)
        guard !window.isFuture(self.opened, at: now) else { throw .fromTheFuture }
    }
}

/// Why the bridge ignores and removes what an App Clip has left.
package enum ClipProblem: String, Error, CustomStringConvertible {
    case tooLarge = "it is larger than 256 KiB"
    case notJSON = "it isn't a JSON object in UTF-8"
    /// Such as that of a later version.
    case otherFormat = "it has another format"
    case malformed = "it has no address or no valid time"
    case fromTheFuture = "the address opened the App Clip later than now"

    package var description: String { "The App Clip's file is ignored: " + rawValue + "." }
}

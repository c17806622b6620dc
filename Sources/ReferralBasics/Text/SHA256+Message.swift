extension SHA256 {
    /// The digest of a whole message, 32 bytes.
    package static func digest(_ message: some Collection<UInt8>) -> [UInt8] {
        var hash = SHA256()
        if message.withContiguousStorageIfAvailable({ hash.update(UnsafeRawBufferPointer($0)) }) == nil {
            Array(message).withUnsafeBytes { hash.update($0) }
        }
        return hash.finish()
    }
}

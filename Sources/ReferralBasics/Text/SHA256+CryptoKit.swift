#if canImport(CryptoKit)
import CryptoKit

/// SHA-256, by the system.
package struct SHA256 {
    private var hash = CryptoKit.SHA256()

    package init() {}

    /// Adds bytes to the message.
    package mutating func update(_ bytes: UnsafeRawBufferPointer) { hash.update(bufferPointer: bytes) }

    /// The digest of the message, 32 bytes.
    package func finish() -> [UInt8] { Array(hash.finalize()) }
}
#endif

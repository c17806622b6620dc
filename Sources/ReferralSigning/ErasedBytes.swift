import ReferralFoundation

/// Memory for a secret.
package enum ErasedBytes {
    /// Runs the body with memory that is erased afterwards, even after an error.
    package static func with<Value, Failure>(
        _ count: Int,
        _ body: (UnsafeMutableRawBufferPointer) throws(Failure) -> Value
    ) throws(Failure) -> Value {
        let bytes = UnsafeMutableRawBufferPointer.allocate(byteCount: count, alignment: 1)
        defer {
            if let start = bytes.baseAddress {
                // The compiler may remove assignments that are never read, but not these calls.
                #if canImport(Darwin)
                memset_s(start, count, 0, count)
                #else
                explicit_bzero(start, count)
                #endif
            }
            bytes.deallocate()
        }
        return try body(bytes)
    }
}

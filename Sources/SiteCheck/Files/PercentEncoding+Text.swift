import ReferralBridge

extension PercentEncoding {
    /// Replaces the escapes in text. If one of them is broken, all of the text stays as it is.
    package static func decode(utf8 text: some Sequence<UInt8>) -> String {
        Array(text).withUnsafeBufferPointer { decode($0[...]) }
    }
}

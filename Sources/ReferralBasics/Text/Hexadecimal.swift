extension Collection<UInt8> {
    /// Two hexadecimal digits in lower case for each byte.
    package var hexadecimal: String {
        map { byte in (byte < 16 ? "0" : "") + String(byte, radix: 16) }.joined()
    }
}

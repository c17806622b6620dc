extension Collection<UInt8> {
    /// Two hexadecimal digits in lower case for each byte.
    package var hexadecimal: String { lazy.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined() }
}

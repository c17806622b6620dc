extension Collection<UInt8> {
    /// Two hexadecimal digits in lower case for each byte.
    package var hexadecimal: String {
        let digits = ASCII.hexadecimalDigits
        return String(decoding: flatMap { [digits[Int($0 >> 4)] | 0x20, digits[Int($0 & 15)] | 0x20] }, as: UTF8.self)
    }
}

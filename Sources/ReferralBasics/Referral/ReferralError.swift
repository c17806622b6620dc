/// Why a payload can't be written, or why `ed` doesn't contain a valid one.
public enum ReferralError: Error, Sendable, Equatable {
    // MARK: Writing and reading

    /// The payload is longer than 8,192 bytes of UTF-8.
    case payloadTooLong

    /// The referrer is missing, empty or not a string.
    case invalidReferrer

    /// The timestamp is missing, not a number or out of range: from 10^11 to below 10^16 milliseconds when written,
    /// above 0 and below 10^16 when read.
    case invalidTimestamp

    // MARK: Writing

    /// A parameter has the name of one of the payload's own members, `timestamp` or `referrer`.
    case reservedParameterName(String)

    // MARK: Reading

    /// `ed` contains a `%` without two hexadecimal digits after it.
    case invalidPercentEncoding

    /// `ed` isn't base64: it has an invalid character, a wrong length, wrong padding, or bits set after its last byte.
    case invalidBase64

    /// The payload isn't UTF-8, or begins with a byte order mark.
    case invalidUTF8

    /// The payload isn't a JSON object according to RFC 8259.
    case invalidJSON

    /// The payload has more than 64 levels of nesting.
    case nestedTooDeeply

    /// A string in the payload contains one half of a surrogate pair without the other.
    case loneSurrogate
}

extension ReferralError: CustomStringConvertible {
    /// A sentence suitable for display.
    public var description: String {
        switch self {
        case .payloadTooLong: "The payload is longer than 8,192 bytes."
        case .invalidReferrer: "The referrer is missing, empty or not a string."
        case .invalidTimestamp:
            "The timestamp is missing, not a number or out of range (Unix milliseconds from 10^11 to below 10^16)."
        case .reservedParameterName(let name):
            "A parameter can't be called “\(name.shown)”: the payload has a member of that name."
        case .invalidPercentEncoding:
            "The payload (ed) contains a percent sign without two hexadecimal digits after it."
        case .invalidBase64:
            "The payload (ed) is not base64: a character, its length, its padding or its last bits are wrong."
        case .invalidUTF8: "The payload is not UTF-8, or begins with a byte order mark."
        case .invalidJSON: "The payload is not a JSON object."
        case .nestedTooDeeply: "The payload is nested more than 64 deep."
        case .loneSurrogate: "The payload contains half of a surrogate pair."
        }
    }
}

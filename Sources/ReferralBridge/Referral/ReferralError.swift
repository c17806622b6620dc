/// Why a payload cannot be written, or why what stands in `ed` is none.
public enum ReferralError: Error, Sendable, Hashable {
    // MARK: Writing and reading

    /// The payload is longer than 8,192 bytes of UTF-8.
    case payloadTooLong

    /// There is no referrer, or it is empty or no string.
    case referrer

    /// There is no time of the tap, or it is out of range: from 10^11 to below 10^16 milliseconds when written, above 0
    /// and below 10^16 when read.
    case timestamp

    // MARK: Writing

    /// A parameter has the name of one of the payload's own members, `timestamp` or `referrer`.
    case reservedParameter(String)

    // MARK: Reading

    /// `ed` holds a `%` that is not followed by two hexadecimal digits.
    case percentEncoding

    /// `ed` is no base64: another character, a wrong length or padding, or bits set behind its last byte.
    case base64

    /// The payload is no UTF-8, or begins with a byte order mark.
    case utf8

    /// The payload is no JSON as RFC 8259 has it, or no object.
    case json

    /// The payload is nested more than 64 deep.
    case nesting

    /// A string in the payload holds one half of a surrogate pair without the other.
    case loneSurrogate
}

extension ReferralError: CustomStringConvertible {
    /// A sentence fit to show.
    public var description: String {
        switch self {
        case .payloadTooLong: "The payload is longer than 8,192 bytes."
        case .referrer: "The referrer is missing, empty or no string."
        case .timestamp:
            "The timestamp is missing, no number or out of range (Unix milliseconds from 10^11 to below 10^16)."
        case .reservedParameter(let name):
            "A parameter cannot be called “\(name)”: the payload has a member of that name."
        case .percentEncoding: "The payload (ed) holds a percent sign without two hexadecimal digits behind it."
        case .base64: "The payload (ed) is not base64: a character, its length, its padding or its last bits are wrong."
        case .utf8: "The payload is not UTF-8, or begins with a byte order mark."
        case .json: "The payload is not a JSON object."
        case .nesting: "The payload is nested more than 64 deep."
        case .loneSurrogate: "The payload holds half of a surrogate pair."
        }
    }
}

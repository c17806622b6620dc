#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension Referral {
    /// The parameter with the signature.
    package static let signatureName = "sig"

    /// The parameter with the end of the campaign.
    package static let endName = "until"

    /// The message that a link's maker signs: an introduction, the app id, and the payload without `timestamp` and `sig`.
    ///
    /// `referral-tool` signs links. Use this only to sign them with a program of your own: put the signature's 64 bytes,
    /// in base64url without padding, into the parameter `sig`.
    ///
    /// - Parameter appID: The app that the link is for.
    /// - Returns: The message. Of the payload, only strings are in it, so an app must not act on other members.
    public func signedMessage(for appID: AppID) -> Data {
        let parameters = sortedParameters.filter { $0.name != Self.signatureName }
        let claims = PayloadWriter.object(nil, referrer, parameters)
        return Data(("ReferralBridge signed referral 1\n" + appID.description + "\n" + claims).utf8)
    }

    /// A signature in base64url: 86 characters, without padding and with no bits set after the last byte.
    package static func signature(_ text: String) -> Data? {
        let length = 64
        guard text.utf8.count == EncodedData.encodedCount(length), text.utf8.allSatisfy(EncodedData.isURLDigit) else {
            return nil
        }
        return text.withUTF8Bytes { digits in
            withUnsafeTemporaryAllocation(of: UInt8.self, capacity: length) { buffer in
                (try? EncodedData.decode(digits[...], into: buffer)).map { _ in Data(buffer) }
            }
        }
    }

    /// The end of a campaign: Unix milliseconds, 12 to 16 digits without a leading zero.
    package static func campaignEnd(_ text: String) -> Timestamp? {
        guard 12...16 ~= text.utf8.count, text.utf8.first != UInt8(ascii: "0"), text.utf8.allSatisfy(ASCII.isDigit)
        else { return nil }
        return Int64(text).map { Timestamp(milliseconds: Double($0)) }
    }
}

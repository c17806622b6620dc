import Foundation
import ReferralBridge

/// Takes every signature, so that what comes after it is judged too.
private struct AnySignature: SignatureVerifier {
    func isValid(_ signature: Data, for message: Data, publicKey: PublicKey) -> Bool {
        precondition(signature.count == 64 && message.starts(with: Data("ReferralBridge signed referral 1\n".utf8)))
        return true
    }
}

private let now = Timestamp(milliseconds: 1_795_224_750_690)
private let scanner = ReferralScanner(appID: 1_300_230_302, additionalHosts: ["trestle.example"])
private let signers = ReferralScanner(
    appID: 1_300_230_302,
    additionalHosts: ["trestle.example"],
    signers: ["nCNWIVc22bR7mbMg+VAMokGuHQtjgw7v3DH5Inwk1Go="],
    verifier: AnySignature()
)

/// Judges any bytes as a string of a pasteboard. What is read must read back the same from a link that is made of it.
@_cdecl("LLVMFuzzerTestOneInput")
public func judgeOneInput(_ bytes: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    let string = String(decoding: UnsafeBufferPointer(start: bytes, count: count), as: UTF8.self)
    let judgment = scanner.judge(string, now: now)
    precondition(!judgment.reason.isEmpty)
    let signed = signers.judge(string, now: now)
    // Signatures only take away.
    let isRefused = [.notSigned, .wrongSignature, .campaignOver].contains(signed.verdict)
    precondition(isRefused || signed.verdict == judgment.verdict)
    precondition(!signed.reason.isEmpty && signed.link?.referral.payload == judgment.link?.referral.payload)

    guard let link = judgment.link else { return 0 }
    precondition(!link.referral.referrer.isEmpty)
    if let page = try? StorePage(link.address), let again = try? ReferralLink(page: page, referral: link.referral) {
        let read = try? ReferralLink(again.address)
        precondition(read == again, again.address)
    }
    let (referral, timestamp) = (link.referral, link.referral.timestamp)
    if let rewritten = try? Referral(
        referrer: referral.referrer,
        timestamp: timestamp,
        parameters: referral.parameters
    ), let made = try? ReferralLink(page: StorePage(appID: 1), referral: rewritten) {
        precondition((try? ReferralLink(made.address))?.referral == rewritten, made.address)
    }
    return 0
}

import ReferralBridge

/// Judges any bytes as a string of a pasteboard. What is read must read back the same from a link that is made of it.
@_cdecl("LLVMFuzzerTestOneInput")
public func judgeOneInput(_ bytes: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    let string = String(decoding: UnsafeBufferPointer(start: bytes, count: count), as: UTF8.self)
    let scanner = ReferralScanner(appID: 1_300_230_302, additionalHosts: ["trestle.example"])
    let judgment = scanner.judge(string, now: Timestamp(milliseconds: 1_795_224_750_690))
    precondition(!judgment.reason.isEmpty)

    guard let link = judgment.link else { return 0 }
    precondition(!link.referral.referrer.isEmpty)
    if let page = link.page, let again = try? ReferralLink(page: page, referral: link.referral) {
        let read = try? ReferralLink(parsing: again.address)
        precondition(read == again, again.address)
    }
    let (referral, timestamp) = (link.referral, link.referral.timestamp)
    if let rewritten = try? Referral(
        referrer: referral.referrer,
        timestamp: timestamp,
        parameters: referral.parameters
    ), let made = try? ReferralLink(page: StorePage(appID: 1), referral: rewritten) {
        precondition((try? ReferralLink(parsing: made.address))?.referral == rewritten, made.address)
    }
    return 0
}

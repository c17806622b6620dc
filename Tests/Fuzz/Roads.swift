import Foundation
import ReferralBridge

private let now = Timestamp(milliseconds: 1_795_224_750_690)
private let scanner: ReferralScanner = {
    var scanner = ReferralScanner(appID: 1_300_230_302)
    scanner.landingPages = [
        LandingPage("https://example.com/get", parameters: ["pack": "gold"], parameterItems: ["open", "pack"]),
        LandingPage("https://example.com/boards/*", referrer: "the board", opensPath: true),
        LandingPage("trestle://open", referrerItem: "from"),
    ]
    return scanner
}()

/// Judges any bytes as an address that opened the app, and as the file of an App Clip.
@_cdecl("LLVMFuzzerTestOneInput")
public func judgeOneInput(_ bytes: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    let bytes = UnsafeBufferPointer(start: bytes, count: count)
    judge(String(decoding: bytes, as: UTF8.self))
    if let file = try? ClipFile(Array(bytes), now: now, window: scanner.window) {
        precondition(file.opened <= now.advanced(by: 30))
        judge(file.address)
    }
    return 0
}

private func judge(_ address: String) {
    let judgment = scanner.judge(address, on: .opened, now: now)
    precondition(!judgment.reason.isEmpty)
    guard let arrival = judgment.arrival else { return }
    precondition(!arrival.referrer.isEmpty && !arrival.isSigned)
    precondition(arrival.referral.payload.utf8.count <= 8_192)
    // What a ledger saves is the same arrival.
    guard let data = try? JSONEncoder().encode(arrival), let read = try? JSONDecoder().decode(Arrival.self, from: data)
    else {
        preconditionFailure("the ledger can't hold \(address)")
    }
    precondition(read == arrival, address)
    if let destination = arrival.destination { precondition(isPath(destination), destination) }
}

/// The rules for a destination, written down once more and in another way. A mark after a slash doesn't make it another one.
private func isPath(_ destination: String) -> Bool {
    let decoded = destination.removingPercentEncoding ?? destination
    return destination.utf8.count <= 2_048
        && [destination, decoded].map(\.unicodeScalars).allSatisfy { path in
            path.starts(with: "/".unicodeScalars) && !path.starts(with: "//".unicodeScalars)
                && !path.contains { $0 == "\\" || $0.properties.isBidiControl }
                && !path.contains { $0.properties.generalCategory == .control }
                && !path.split { "/?#".unicodeScalars.contains($0) }.contains { $0.elementsEqual("..".unicodeScalars) }
        }
}

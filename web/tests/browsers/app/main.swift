// An app's launch, on the clipboard of the X display that it runs on. It prints what the delegate is told, a line each, and
// then the outcome:
//
//     app LEDGER [--landing ADDRESS] [--group DIR] [--open ADDRESS] [--onboarding]
//
// With --leave ADDRESS --group DIR it is the App Clip instead.

import Foundation
import ReferralBridge

struct XPasteboard: Pasteboard {
    private func read(_ type: String) -> String? {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/xclip")
        process.arguments = ["-selection", "clipboard", "-out", "-target", type]
        let output = Pipe()
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        guard (try? process.run()) != nil, let data = try? output.fileHandleForReading.readToEnd() else { return nil }
        process.waitUntilExit()
        return String(data: data, encoding: .utf8)
    }

    func mayHoldLink() async -> Bool { read("TARGETS")?.contains("text/") ?? false }

    func contents() async -> PasteboardContents {
        PasteboardContents(strings: ["text/uri-list", "text/plain"].compactMap(read))
    }
}

final class Launch: AppStoreBridgeDelegate {
    func appStoreBridge(_ bridge: AppStoreBridge, didReceive arrival: Arrival) {
        print("sent by \(arrival.referrer)")
        print(
            "with \(arrival.parameters.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }.joined(separator: ","))"
        )
        if let destination = arrival.destination { print("to \(destination), \(arrival.road)") }
    }
}

let arguments = CommandLine.arguments
func option(_ name: String) -> String? {
    arguments.firstIndex(of: name).flatMap { arguments.indices.contains($0 + 1) ? arguments[$0 + 1] : nil }
}
let handover = option("--group").map { ClipHandover(group: URL(fileURLWithPath: $0)) }
if let handover, let address = option("--leave").flatMap({ URL(string: $0) }) {
    try handover.leave(address)
    exit(0)
}

let launch = Launch()
var scanner = ReferralScanner(appID: 1_300_230_302)
if var page = option("--landing").flatMap({ LandingPage(address: $0) }) {
    page.parameterItems = ["open"]
    scanner.landingPages = [page]
}
let bridge = AppStoreBridge(
    scanner: scanner,
    pasteboard: XPasteboard(),
    ledger: FileLedger(URL(fileURLWithPath: arguments[1]))
)
bridge.delegate = launch
// A second launch looks again.
bridge.attributionPolicy = .everyone
bridge.clipHandover = handover
bridge.holdsArrivals = arguments.contains("--onboarding")
if let address = option("--open").flatMap({ URL(string: $0) }) { print(bridge.handle(address)) }
print(await bridge.checkForReferralLinks())
if let held = bridge.heldArrival { print("\(held.referrer) invited you") }

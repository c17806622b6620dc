// An app's launch, on the clipboard of the X display that it runs on: main LEDGER prints what the delegate is told, a line
// each, and then the outcome.

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
    }
}

let launch = Launch()
let bridge = AppStoreBridge(
    appID: 1_300_230_302,
    pasteboard: XPasteboard(),
    ledger: FileLedger(url: URL(fileURLWithPath: CommandLine.arguments[1]))
)
bridge.delegate = launch
print(await bridge.checkForReferralLinks())

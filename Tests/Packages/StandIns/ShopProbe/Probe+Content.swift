import Foundation

@testable import Unlocks

extension Probe {
    /// Launches an app whose catalog is in a file. The files of its items are on a server of this machine.
    static func content(
        _ folder: URL,
        _ store: FileStore,
        _ seconds: Double,
        _ catalog: URL,
        _ server: URL
    ) async throws {
        let catalog = try ShopCatalog(json: Data(contentsOf: catalog))
        let unlocks = shop(folder, store, catalog, ContentDownloads(place: { server.appendingPathComponent($0.path) }))
        try await run(unlocks, folder, store, seconds)
        if ProcessInfo.processInfo.environment["RESET"] != nil {
            try await wait(until: Date() + seconds) { unlocks.state.mayLackContent == false }
            try await unlocks.reset()
        }
        // What is asked once a month is asked last.
        try await wait(until: Date() + seconds) {
            let state = unlocks.state
            return state.questions.isEmpty && state.look == nil && state.entries.isEmpty
                && state.mayLackContent == false
        }
        let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
        let peak = status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
        say("memory \(peak?.filter(\.isNumber) ?? "unknown")")
    }
}

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
        let downloads = ContentDownloads { part throws(DownloadError) in
            try await part.load(from: server.appendingPathComponent(part.file.url.path))
        }
        let unlocks = shop(folder, store, catalog, downloads)
        try await run(unlocks, folder, store, seconds)
        let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
        let peak = status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
        say("memory \(peak?.filter(\.isNumber) ?? "unknown")")
    }
}

import Foundation
import Unlocks

extension Probe {
    /// Launches an app whose catalog is in a file. The files of its items are on a server of this machine.
    static func content(_ folder: URL, _ store: FileStore, _ seconds: Double, _ catalog: URL, _ server: URL) async throws {
        let catalog = try Catalog(json: Data(contentsOf: catalog))
        let unlocks = shop(folder, store, catalog, transport: LocalTransport(server: server))
        unlocks.onProblem = { say("problem \($0)") }
        try await run(unlocks, folder, store, seconds)
        let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
        let peak = status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
        say("memory \(peak?.filter(\.isNumber) ?? "unknown")")
    }
}

/// Sends requests to a server without https. The catalog's addresses begin with it.
private struct LocalTransport: DownloadTransport {
    let server: URL
    let web = WebTransport()
    var simultaneousFiles: Int { web.simultaneousFiles }

    func load(_ request: DownloadRequest, into sink: DownloadSink) async throws {
        let url = server.appendingPathComponent(request.url.path)
        try await web.load(DownloadRequest(url: url, headers: request.headers, name: request.name), into: sink)
    }
}

import Foundation
import Unlocks

/// A server with a file of 81,000 zeros for each address. Of that it sends 12,000, and the rest when a test says so.
@MainActor
final class HeldSite: DownloadTransport {
    static let length = 81_000
    static let sha256 = "a2cad969affd6c3b85af7a3d7878aeacec8e5d768440c8f68ad0e759257c36c1"

    nonisolated let simultaneousFiles = 1
    private(set) var requests = 0
    private var waiting: [CheckedContinuation<Void, Never>] = []
    /// Whether the rest of a file waits.
    var isHeld = false {
        didSet {
            guard !isHeld else { return }
            waiting.forEach { $0.resume() }
            waiting = []
        }
    }

    func load(_ request: DownloadRequest, into sink: DownloadSink) async throws {
        requests += 1
        try sink.begin(DownloadAnswer(status: 200) { _ in nil })
        try sink.receive(Data(count: 12_000))
        if isHeld { await withCheckedContinuation { waiting.append($0) } }
        try sink.receive(Data(count: Self.length - 12_000))
    }
}

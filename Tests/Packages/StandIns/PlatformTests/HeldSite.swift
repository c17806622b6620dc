import Foundation
import UnlockCatalog

@testable import Unlocks

/// A server with a file of 81,000 zeros for each address. Of that it sends 12,000, and the rest when a test says so.
@MainActor
final class HeldSite: DownloadTransport {
    nonisolated static let length = 81_000
    nonisolated static let sha256 = "a2cad969affd6c3b85af7a3d7878aeacec8e5d768440c8f68ad0e759257c36c1"

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

    func load(_ file: CatalogItem.File, in folder: ContentFolder, _ meter: DownloadMeter) async throws(DownloadError) {
        requests += 1
        let part = try DownloadPart(of: file, in: folder, meter)
        try part.add(Data(count: 12_000))
        if isHeld { await withCheckedContinuation { waiting.append($0) } }
        try part.add(Data(count: Self.length - 12_000))
    }
}

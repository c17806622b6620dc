import Foundation
import UnlockCatalog

@testable import Unlocks

/// A server with a file of 81,000 zeros for each address. Of that it sends 12,000, and the rest when a test says so.
@MainActor
final class HeldSite {
    nonisolated static let length = 81_000
    nonisolated static let sha256 = "a2cad969affd6c3b85af7a3d7878aeacec8e5d768440c8f68ad0e759257c36c1"

    private(set) var requests = 0
    /// Why nothing is sent.
    var refusal: DownloadError.Refusal?
    private var waiting: [CheckedContinuation<Void, Never>] = []
    /// Whether the rest of a file waits.
    var isHeld = false {
        didSet {
            guard !isHeld else { return }
            waiting.forEach { $0.resume() }
            waiting = []
        }
    }

    /// Downloads from here, one file after the other.
    var downloads: ContentDownloads {
        ContentDownloads(simultaneousFiles: 1, loadRest: { part, _ throws(DownloadError) in try await self.load(part) })
    }

    private func load(_ part: DownloadPart) async throws(DownloadError) {
        requests += 1
        if let refusal { throw .refused(refusal) }
        try part.add(Data(count: 12_000))
        if isHeld { await withCheckedContinuation { waiting.append($0) } }
        try part.add(Data(count: Self.length - 12_000))
    }
}

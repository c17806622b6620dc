import Foundation
import ReferralBridge
import TestSupport
import Testing

@testable import Unlocks

/// A folder for content, and a site with its files: pages of ``CatalogServer``.
final class DownloadSite: Sendable {
    let server: CatalogServer
    private let place = TemporaryFolder("downloads")
    var folder: URL { place.url }

    init() throws { server = try CatalogServer() }

    /// The folder of a purchase.
    var content: URL { folder.appending(path: "purchase-1") }

    /// The address of a file on the server.
    func address(_ path: String) -> URL { server.address.deletingLastPathComponent().appending(path: path) }

    /// Puts a file on the server.
    func put(_ path: String, _ answers: CatalogServer.Answer...) async throws {
        try await server.answer(answers, at: address(path))
    }

    func requests(_ path: String) async throws -> [[String: String]] { try await server.requests(at: address(path)) }

    /// What a file of the catalog has in its place; `nil` if it isn't there.
    func contents(_ path: String) -> Data? { try? Data(contentsOf: content.appending(path: path)) }

    /// The names of the files beside the content.
    var left: [String] {
        let names = try? FileManager.default.contentsOfDirectory(
            atPath: folder.appending(path: "purchase-1.files").path()
        )
        return (names ?? []).map { name in name.split(separator: ".").dropFirst().last.map(String.init) ?? name }
            .sorted()
    }

    /// The downloads of a new process. They ask the tests' server, which has no
    /// certificate for https, and have a time limit that no busy computer reaches.
    func downloads(freeSpace: @escaping @Sendable (URL) -> Int? = { _ in nil }) -> ContentDownloads {
        let folder = server.address.deletingLastPathComponent()
        return ContentDownloads(
            freeSpace: freeSpace,
            place: { folder.appending(path: $0.path().dropFirst()) },
            loadRest: { part, address throws(DownloadError) in try await part.load(from: address, timeLimit: 600) }
        )
    }

    /// Loads and installs files.
    ///
    /// - Returns: Whether something was loaded.
    /// - Throws: Why not.
    @discardableResult
    func load(
        _ files: [CatalogItem.File],
        _ downloads: ContentDownloads? = nil,
        besides others: [DeliveredContent] = []
    ) async throws -> Bool {
        let downloads = downloads ?? self.downloads()
        let (_, reports) = AsyncStream.makeStream(of: DownloadProgress.self, bufferingPolicy: .bufferingNewest(1))
        do throws(ContentDownloads.Failure) {
            let isNew = try await downloads.load(files, by: nil, into: content, besides: others, reports)
            guard isNew else { return false }
        } catch {
            throw error.error
        }
        try FileManager.default.createDirectory(at: content, withIntermediateDirectories: true)
        try await downloads.install(files, in: content)
        return true
    }
}

extension CatalogItem.File {
    /// A file with these contents, in the form that a catalog has.
    static func json(_ path: String, _ contents: Data, url: String? = nil, length: Int? = nil) -> String {
        #"""
        {"path":"\#(path)","url":"\#(url ?? "https://files.example/" + path)","length":\#(length ?? contents.count),
        "sha256":"\#(SHA256.digest(contents).hexadecimal)"}
        """#
    }

    static func of(_ path: String, _ contents: Data, url: String? = nil, length: Int? = nil) throws -> Self {
        let json = json(path, contents, url: url, length: length)
        let items = #"{"id":"gold","product":"gold","kind":"nonConsumable","grants":["gold"],"files":[\#(json)]}"#
        return try #require(ShopCatalog.of(items: items).items.first?.files.first)
    }
}

extension Data {
    /// The contents of the file that most tests load.
    static let gold = sample(60_000)

    /// Bytes that differ everywhere, and from those of another seed.
    static func sample(_ count: Int, seed: UInt8 = 0) -> Data {
        var state = UInt64(seed) &+ 1
        return Data(
            (0..<count).map { _ in
                state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                return UInt8(truncatingIfNeeded: state >> 56)
            }
        )
    }
}

/// An answer of a site: a file of 60,000 bytes, unless something else is given.
func answer(
    _ manner: CatalogServer.Manner = .file,
    _ body: Data = .gold,
    status: Int = 200,
    _ headers: [String: String] = ["ETag": #""1""#]
) -> CatalogServer.Answer {
    CatalogServer.Answer(status: status, headers: headers, body: body, manner: manner)
}

func status(_ status: Int, _ headers: [String: String] = [:]) -> CatalogServer.Answer {
    answer(.whole, Data(), status: status, headers)
}

import ReferralFoundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// A server that gives out the addresses of an item's files for a proof of purchase.
package struct ContentGuard: Sendable, Hashable {
    let address: URL
    /// The purchase as the store has signed it; `nil` for a free item.
    let proof: String?

    /// Returns the address of a file.
    typealias Addresses = @Sendable (CatalogItem.File) throws(DownloadError) -> URL

    private struct Answer: Decodable {
        struct File: Decodable { let url: String }

        let files: [String: File]
        let expiresIn: Double
    }

    private struct Refusal: Decodable { let reason: DownloadError.Refusal }

    /// Asks for the addresses, where the server is, which is somewhere else in tests.
    func addresses(from address: URL) async throws(DownloadError) -> Addresses {
        var request = URLRequest(url: address)
        request.httpMethod = "POST"
        request.timeoutInterval = 30
        request.setValue("application/json", forHTTPHeaderField: "Content-Type")
        request.httpBody = try? JSONEncoder().encode(["transaction": proof])
        let limit = ShopCatalog.maximumLength
        let answer = try await WebAnswer(request, over: .files, statuses: [200, 403, 429], limit: limit)
        if answer.status != 200 {
            let refusal = try? JSONDecoder().decode(Refusal.self, from: answer.body)
            throw refusal.map { .refused($0.reason) } ?? .status(answer.status)
        }
        guard let given = try? JSONDecoder().decode(Answer.self, from: answer.body) else { throw .noAddress }
        let end = Timestamp.now.advanced(by: given.expiresIn)
        return { file throws(DownloadError) in
            guard Timestamp.now < end else { throw .expiredAddress }
            let url = given.files[file.path].flatMap { URL(string: $0.url, relativeTo: address)?.absoluteURL }
            guard let url, WebSession.mayRedirect(from: address, to: url) else { throw .noAddress }
            return url
        }
    }
}

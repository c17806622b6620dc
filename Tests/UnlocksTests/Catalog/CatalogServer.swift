import Foundation
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// A page of a web server in a process of its own, `catalog-server.py`.
struct CatalogServer {
    enum Manner: String {
        case whole, cut, silent, drip, endless, file, broken, together, unsized
    }

    /// What a page answers.
    struct Answer {
        var status = 200
        var headers: [String: String] = [:]
        var body = Data()
        var manner = Manner.whole

        fileprivate var json: [String: Any] {
            ["status": status, "headers": headers, "body": body.base64EncodedString(), "manner": manner.rawValue]
        }
    }

    /// Each page has an address that no other test asks for.
    let address: URL

    init(query: String = "") throws {
        address = try #require(URL(string: "http://127.0.0.1:\(Self.port)/\(UUID().uuidString)/catalog.json\(query)"))
    }

    func answer(
        _ body: Data = Data(),
        status: Int = 200,
        headers: [String: String] = [:],
        _ manner: Manner = .whole,
        at address: URL? = nil
    ) async throws {
        try await answer([Answer(status: status, headers: headers, body: body, manner: manner)], at: address)
    }

    /// Lets each request get the next one of these answers. The last one stays.
    func answer(_ answers: [Answer], at address: URL? = nil) async throws {
        var request = URLRequest(url: address ?? self.address)
        request.httpMethod = "PUT"
        request.httpBody = try JSONSerialization.data(withJSONObject: answers.map(\.json))
        let (_, response) = try await URLSession.shared.data(for: request)
        #expect((response as? HTTPURLResponse)?.statusCode == 204)
    }

    /// The headers of each request so far.
    func requests(at address: URL? = nil) async throws -> [[String: String]] {
        var request = URLRequest(url: address ?? self.address)
        request.httpMethod = "POST"
        request.timeoutInterval = 600
        let (body, _) = try await URLSession.shared.data(for: request)
        return try JSONDecoder().decode([[String: String]].self, from: body)
    }

    /// One process for all tests. Its standard input is closed when this process ends, however it ends.
    private static let (port, input): (Int, Pipe) = {
        let process = Process()
        let (input, output) = (Pipe(), Pipe())
        process.executableURL = URL(filePath: "/usr/bin/env")
        let folder = URL(filePath: #filePath).deletingLastPathComponent()
        process.arguments = ["python3", folder.appending(path: "catalog-server.py").path(percentEncoded: false)]
        (process.standardInput, process.standardOutput) = (input, output)
        do {
            try process.run()
        } catch {
            fatalError("catalog-server.py: \(error)")
        }
        let line = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
        guard let port = Int(line.trimmingCharacters(in: .whitespacesAndNewlines)) else {
            fatalError("catalog-server.py printed no port but \(line)")
        }
        return (port, input)
    }()
}

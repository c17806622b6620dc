import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Loads files while the app runs, with a ``WebSession`` of its own. On Apple's platforms, a request waits until there is a
/// connection.
final class WebTransport: DownloadTransport {
    let simultaneousFiles: Int

    private let address: @Sendable (URL) -> URL
    private let session: WebSession

    /// Creates a transport.
    ///
    /// - Parameters:
    ///   - simultaneousFiles: The number of files to load at a time.
    ///   - timeLimit: A request fails when nothing has come for so many seconds.
    ///   - address: Returns where to ask for a file, for tests without https.
    init(
        simultaneousFiles: Int,
        timeLimit: Double = 30,
        at address: @escaping @Sendable (URL) -> URL = { $0 }
    ) {
        self.simultaneousFiles = simultaneousFiles
        self.address = address
        session = WebSession { configuration in
            configuration.timeoutIntervalForRequest = timeLimit
            configuration.httpMaximumConnectionsPerHost = simultaneousFiles
            #if !canImport(FoundationNetworking)
            configuration.waitsForConnectivity = true
            #endif
        }
    }

    deinit { session.invalidate() }

    func load(_ file: CatalogItem.File, in folder: ContentFolder, _ meter: DownloadMeter) async throws(DownloadError) {
        let part = try DownloadPart(of: file, in: folder, meter)
        guard !part.isWhole else { return }
        var request = URLRequest(url: address(file.url))
        // The lengths of ranges are those of the file itself.
        request.setValue("identity", forHTTPHeaderField: "Accept-Encoding")
        if let tag = part.tag {
            request.setValue("bytes=\(part.length)-", forHTTPHeaderField: "Range")
            request.setValue(tag, forHTTPHeaderField: "If-Range")
        }
        do { try await session.send(request, to: part) } catch {
            let error = error as? DownloadError ?? DownloadError(error)
            switch error {
            // The server's file and the part here don't match.
            case .wrongRange, .wrongLength, .status(416, _): try part.startOver()
            default: break
            }
            throw error
        }
    }
}

extension DownloadPart: WebReceiver {
    func begin(_ response: HTTPURLResponse) throws {
        guard try !response.isRest(of: file, from: length, tag: tag) else { return }
        try startOver(tag: response.strongTag)
    }

    func end() throws { if !isWhole { throw DownloadError.wrongLength } }
}

extension DownloadError {
    /// An error of a session.
    init(_ error: any Error) {
        let fileErrors = NSURLErrorDownloadDecodingFailedToComplete...NSURLErrorCannotCreateFile
        switch error as? WebFailure {
        case .cancelled?: self = .cancelled
        case .unsafeRedirect?: self = .unsafeRedirect
        case .tooManyRedirects?: self = .tooManyRedirects
        case .noAnswer?: self = .unreachable(reason: "no answer")
        case .session(let error)?: self.init(error)
        case nil:
            switch (error as? URLError)?.errorCode {
            case NSURLErrorTimedOut?: self = .timedOut
            case fileErrors?: self = .storage(error.localizedDescription)
            default: self = .unreachable(reason: error.localizedDescription)
            }
        }
    }
}

import Foundation

/// The transports of this process. There is one for each identifier: the system allows one session.
final class BackgroundTransports: @unchecked Sendable {
    static let ofProcess = BackgroundTransports()

    private let lock = NSLock()
    private var transports: [String: BackgroundTransport] = [:]

    /// The transport with an identifier, which is made at the first call.
    func transport(_ identifier: String, _ make: () -> BackgroundTransport) -> BackgroundTransport {
        lock.withLock {
            if let transport = transports[identifier] { return transport }
            let transport = make()
            transports[identifier] = transport
            return transport
        }
    }

    private func known(_ identifier: String) -> BackgroundTransport? { lock.withLock { transports[identifier] } }

    /// Calls a closure on the main thread once the events of a session have been handled.
    ///
    /// - Returns: Whether there is a transport with this identifier, and a center with it has started. If not, the closure is never
    ///   called.
    @MainActor
    func handleEvents(of identifier: String, _ completion: @escaping () -> Void) -> Bool {
        guard let transport = known(identifier), transport.contents != nil else { return false }
        Task {
            await transport.events()
            completion()
        }
        return true
    }

    /// Returns once the events of a session have been handled.
    func handleEvents(of identifier: String) async { await known(identifier)?.events() }
}

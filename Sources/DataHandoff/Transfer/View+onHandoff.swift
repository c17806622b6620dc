#if canImport(SwiftUI) && !os(tvOS) && !os(watchOS)
import Foundation
public import SwiftUI

extension View {
    /// Handles addresses and files with which the system opens the app.
    ///
    /// SwiftUI doesn't name the app that opened an address. So an address with the app's own scheme is refused with
    /// ``HandoffError/unexpectedApp(_:)`` unless ``HandoffRoute/allowsUnnamedApps`` is set. A scene delegate learns the
    /// name: use `receive(_:)` with its `UIOpenURLContext` instead. A file and a universal link may come from any app.
    ///
    /// - Parameters:
    ///   - receiver: The receiver. It ignores addresses that aren't handoff links.
    ///   - action: Called with the message of an address or a file, or with an error.
    /// - Returns: The view.
    public func onHandoff(
        _ receiver: HandoffReceiver,
        perform action: @escaping @MainActor (Result<HandoffReceiver.Arrival, HandoffError>) -> Void
    ) -> some View {
        onHandoff(action) { url throws(HandoffError) in try await receiver.openInScope(url, from: nil) }
    }

    /// Handles addresses with which the system opens the app.
    ///
    /// An address with the app's own scheme is refused unless ``HandoffRoute/allowsUnnamedApps`` is set. A receipt on a
    /// link is never proven, since the app that opened it isn't named.
    ///
    /// - Parameters:
    ///   - sender: The sender. It ignores addresses that aren't handoff links.
    ///   - action: Called with the message of an address, or with an error.
    /// - Returns: The view.
    public func onHandoff(
        _ sender: HandoffSender,
        perform action: @escaping @MainActor (Result<HandoffSender.Arrival, HandoffError>) -> Void
    ) -> some View {
        onHandoff(action) { url throws(HandoffError) in try await sender.receive(url, from: nil) }
    }

    private func onHandoff<Arrival: Sendable>(
        _ action: @escaping @MainActor (Result<Arrival, HandoffError>) -> Void,
        _ open: @escaping @MainActor (URL) async throws(HandoffError) -> Arrival
    ) -> some View {
        onOpenURL { url in
            Task {
                do throws(HandoffError) {
                    action(.success(try await open(url)))
                } catch .notALink {
                    // The address is for other code.
                } catch {
                    action(.failure(error))
                }
            }
        }
    }
}

extension HandoffReceiver {
    /// Opens an address or a file. A file in another app's folder can be read only within its security scope.
    func openInScope(_ url: URL, from app: String?) async throws(HandoffError) -> Arrival {
        let hasScope = url.isFileURL && url.startAccessingSecurityScopedResource()
        defer { if hasScope { url.stopAccessingSecurityScopedResource() } }
        return try await receive(url, from: app)
    }
}
#endif

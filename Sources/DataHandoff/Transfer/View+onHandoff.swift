#if canImport(SwiftUI) && !os(tvOS) && !os(watchOS)
import Foundation
public import SwiftUI

extension View {
    /// Handles addresses and files with which the system opens the app.
    ///
    /// ```swift
    /// Boards()
    ///     .onHandoff(receiver, acceptsUnnamedApps: true) { result in … }
    /// ```
    ///
    /// A universal link also counts if it was scanned, or starts the app: see `onOpenLink(perform:)`. The same address within 2
    /// seconds counts once.
    ///
    /// - Parameters:
    ///   - receiver: The receiver. It ignores addresses that aren't handoff links.
    ///   - acceptsUnnamedApps: Whether an address with the app's own scheme counts. SwiftUI doesn't name the app that opened it, so
    ///     with `false` it is refused with ``HandoffError/unexpectedApp(_:)``, and only universal links and files count. To accept
    ///     addresses of the expected app alone, use a scene delegate, which learns the name: `receive(_:)` with its
    ///     `UIOpenURLContext`.
    ///   - action: Called with the message of an address or a file, or with an error.
    /// - Returns: The view.
    public func onHandoff(
        _ receiver: HandoffReceiver,
        acceptsUnnamedApps: Bool,
        perform action: @escaping @MainActor (Result<HandoffReceiver.Message, HandoffError>) -> Void
    ) -> some View {
        modifier(
            HandoffModifier(clock: receiver.clock, action: action) { url throws(HandoffError) in
                try await receiver.receive(url, from: nil, acceptsUnnamedApps: acceptsUnnamedApps)
            }
        )
    }

    /// Handles addresses with which the system opens the app.
    ///
    /// A receipt on a link is never proven, since SwiftUI doesn't name the app that opened it.
    ///
    /// - Parameters:
    ///   - sender: The sender. It ignores addresses that aren't handoff links.
    ///   - acceptsUnnamedApps: Whether an address with the app's own scheme counts, as for a receiver.
    ///   - action: Called with the message of an address, or with an error.
    /// - Returns: The view.
    public func onHandoff(
        _ sender: HandoffSender,
        acceptsUnnamedApps: Bool,
        perform action: @escaping @MainActor (Result<HandoffSender.Message, HandoffError>) -> Void
    ) -> some View {
        modifier(
            HandoffModifier(clock: sender.clock, action: action) { url throws(HandoffError) in
                try await sender.receive(url, from: nil, acceptsUnnamedApps: acceptsUnnamedApps)
            }
        )
    }
}

private struct HandoffModifier<Message: Sendable>: ViewModifier {
    let clock: DeviceClock
    let action: @MainActor (Result<Message, HandoffError>) -> Void
    let open: @MainActor (URL) async throws(HandoffError) -> Message
    @State private var lastAction = LastAction<Result<Message, HandoffError>>()

    func body(content: Content) -> some View {
        // A file may have to be downloaded first.
        let lastAction = lastAction.updated(action)
        content.onOpenLink(clock: clock) { url in
            Task {
                do throws(HandoffError) {
                    lastAction(.success(try await open(url)))
                } catch .notALink {
                    // The address is for other code.
                } catch {
                    lastAction(.failure(error))
                }
            }
        }
    }
}
#endif

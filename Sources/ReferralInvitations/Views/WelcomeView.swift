#if canImport(SwiftUI) && !os(tvOS) && !os(watchOS)
public import Foundation
import ReferralAppSupport
public import SwiftUI

/// Welcomes a user who was invited, by the name of the person who invited them.
///
/// ```swift
/// if let arrival = bridge.heldArrival {
///     WelcomeView(arrival, waiting: "The gold boards are waiting for you.") { code in await names.name(of: code) }
/// }
/// ```
///
/// It needs only the arrival, so it can be shown before onboarding. The view is localized in English and German. For other
/// languages or other words, add the same keys to a string catalog of your own.
public struct WelcomeView: View {
    @State private var name: Sentence?
    private let arrival: Arrival
    private let waiting: String?
    private let lookUp: @Sendable (String) async -> String?
    private let bundle: Bundle

    /// Creates a view.
    ///
    /// - Parameters:
    ///   - arrival: The arrival, which the bridge may still hold.
    ///   - waiting: The reward that the user can earn, in their language.
    ///   - bundle: The bundle whose `Localizable` table has the view's texts; `nil` for the library's.
    ///   - name: Looks up the name of a referrer. Until it returns, and if it returns `nil`, no name is shown. A referrer is
    ///     a claim that anyone can make.
    public init(
        _ arrival: Arrival,
        waiting: String? = nil,
        bundle: Bundle? = nil,
        name: @escaping @Sendable (_ referrer: String) async -> String?
    ) {
        self.arrival = arrival
        self.waiting = waiting
        lookUp = name
        self.bundle = bundle ?? .module
    }

    /// The sentence, and the reward.
    public var body: some View {
        VStack(alignment: .leading) {
            title
                .font(.title)
                .accessibilityAddTraits(.isHeader)
            if let waiting { Text(own: waiting) }
        }
        .task(id: arrival.referrer) {
            // The view may have shown another arrival before, whose name isn't this one's.
            name = nil
            let found = await lookUp(arrival.referrer)
            if !Task.isCancelled { name = found.map { "\(name: $0)" } }
        }
    }

    private var title: Text {
        if let name, !name.text.isEmpty {
            Text("\(shown: name.text) invited you", bundle: bundle)
        } else {
            Text("You were invited", bundle: bundle)
        }
    }
}
#endif

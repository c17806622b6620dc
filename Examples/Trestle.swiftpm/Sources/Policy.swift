import ReferralBridge
import SwiftUI

/// The policies to choose from.
enum Policy: String, CaseIterable {
    case everyone = "Everyone"
    case firstLaunch = "First launch"

    var attributionPolicy: AttributionPolicy {
        switch self {
        case .everyone: .everyone
        case .firstLaunch: .firstLaunch
        }
    }
}

/// Chooses the attribution policy.
struct PolicyPicker: View {
    @Binding var policy: Policy

    var body: some View {
        Picker("Whose taps count", selection: $policy) {
            ForEach(Policy.allCases, id: \.self) { policy in Text(LocalizedStringKey(policy.rawValue)).tag(policy) }
        }
        .accessibilityIdentifier("policy")
    }
}

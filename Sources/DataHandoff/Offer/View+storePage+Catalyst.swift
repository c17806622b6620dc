#if canImport(UIKit) && canImport(SwiftUI) && targetEnvironment(macCatalyst)
import ReferralBridge
import SwiftUI

extension View {
    /// Does nothing: Mac Catalyst has no overlay. The view shows a link to the page instead.
    func storePage(_ page: StorePage, isPresented: Binding<Bool>) -> some View { self }
}
#endif

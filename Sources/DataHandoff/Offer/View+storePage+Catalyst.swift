#if canImport(UIKit) && canImport(SwiftUI) && targetEnvironment(macCatalyst)
import SwiftUI

extension View {
    /// Does nothing: on a Mac, the view shows a link, which opens the App Store.
    func storePage(_ page: StorePage, isPresented: Binding<Bool>, clock: DeviceClock) -> some View { self }
}
#endif

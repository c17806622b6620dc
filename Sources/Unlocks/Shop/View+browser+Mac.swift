#if canImport(SwiftUI) && (!canImport(UIKit) || os(visionOS) || targetEnvironment(macCatalyst))
import SwiftUI

extension View {
    /// Does nothing: on a Mac and on visionOS, links open the user's browser.
    func opensLinksInApp(of shopping: Shopping, onPage: Bool) -> some View { self }
}
#endif

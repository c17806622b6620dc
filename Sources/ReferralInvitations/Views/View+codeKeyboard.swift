#if canImport(SwiftUI) && !os(tvOS) && !os(watchOS)
import SwiftUI

#if canImport(UIKit)
import UIKit
#endif

extension View {
    /// A keyboard with the ASCII characters that a code may have, in upper case. On a Mac, this changes nothing.
    func codeKeyboard() -> some View {
        #if canImport(UIKit)
        keyboardType(.asciiCapable)
            .textInputAutocapitalization(.characters)
        #else
        self
        #endif
    }
}
#endif

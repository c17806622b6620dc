#if canImport(SwiftUI) && !os(tvOS) && !os(watchOS)
import Foundation
import SwiftUI

/// The button that closes a sheet, where no gesture does. It is empty in a view that isn't presented.
struct CloseSection: View {
    // On a Mac and on visionOS, a sheet can't be swiped away.
    #if !canImport(UIKit) || os(visionOS) || targetEnvironment(macCatalyst)
    private static let isNeeded = true
    #else
    private static let isNeeded = false
    #endif

    @Environment(\.isPresented) private var isPresented
    @Environment(\.dismiss) private var dismiss
    let bundle: Bundle

    var body: some View {
        if Self.isNeeded, isPresented { CloseButton(bundle: bundle) { dismiss() } }
    }
}

/// The last section of a list that is a sheet.
struct CloseButton: View {
    let bundle: Bundle
    let action: @MainActor () -> Void

    var body: some View {
        Section {
            Button {
                action()
            } label: {
                Text("Close", bundle: bundle)
            }
        }
    }
}

extension View {
    /// Gives a list a size on a Mac. There, a sheet is as large as what is in it, and a list asks for almost no room.
    func sheetSize() -> some View {
        #if canImport(UIKit)
        self
        #else
        frame(minWidth: 420, minHeight: 480)
        #endif
    }
}
#endif

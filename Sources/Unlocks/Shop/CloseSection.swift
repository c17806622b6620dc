#if canImport(SwiftUI) && !os(tvOS) && !os(watchOS)
import Foundation
import SwiftUI

/// The last section of a list that is a sheet: a button that closes it.
struct CloseSection: View {
    @Environment(\.isPresented) private var isPresented
    @Environment(\.dismiss) private var dismiss
    let bundle: Bundle
    /// Whether the list has the button also where a gesture closes the sheet. On a Mac and on visionOS, none does.
    var isNeeded = false

    var body: some View {
        #if !canImport(UIKit) || os(visionOS) || targetEnvironment(macCatalyst)
        if isPresented { button }
        #else
        if isPresented, isNeeded { button }
        #endif
    }

    private var button: some View {
        Section {
            Button {
                dismiss()
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

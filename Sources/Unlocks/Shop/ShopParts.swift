#if canImport(SwiftUI) && !os(tvOS) && !os(watchOS)
import Foundation
import SwiftUI

/// The last section of a list that is presented: a button that closes it. Not everywhere, a gesture does.
struct CloseSection: View {
    @Environment(\.isPresented) private var isPresented
    @Environment(\.dismiss) private var dismiss
    let bundle: Bundle

    var body: some View {
        if isPresented {
            Section {
                Button(action: { dismiss() }) { Text("Close", bundle: bundle) }
            }
        }
    }
}

extension Shopping {
    /// A text with a symbol.
    func label(_ key: LocalizedStringKey, _ symbol: String) -> some View {
        Label {
            Text(key, bundle: bundle)
        } icon: {
            Image(systemName: symbol)
        }
    }

    /// A button that can't be pressed while an action is being performed.
    func button(_ title: LocalizedStringKey, _ action: @escaping @MainActor () -> Void) -> some View {
        Button(action: action) { Text(title, bundle: bundle) }
            .disabled(isWorking)
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

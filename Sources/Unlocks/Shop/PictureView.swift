#if canImport(SwiftUI) && !os(tvOS) && !os(watchOS)
import CoreGraphics
import Foundation
import SwiftUI

/// A picture of an item. A symbol takes the place of one from the web until it is loaded, and if it can't be loaded.
struct PictureView: View {
    @State private var loaded: CGImage?
    private let picture: CatalogItem.Picture
    private let isIcon: Bool

    init(_ picture: CatalogItem.Picture, isIcon: Bool = false) {
        self.picture = picture
        self.isIcon = isIcon
    }

    var body: some View {
        let isMissing = if case .address = picture { loaded == nil } else { false }
        image
            .resizable()
            .scaledToFit()
            .foregroundStyle(.secondary)
            .frame(maxHeight: isIcon || isMissing ? 44 : nil)
            .accessibilityHidden(true)
            .task(id: picture) {
                guard case .address(let address) = picture else { return }
                // An icon has 3 pixels per point. A page is nowhere wider than 1,600 pixels.
                loaded = await CGImage.loaded(from: address, side: isIcon ? 3 * 44 : 1_600)
            }
    }

    private var image: Image {
        switch picture {
        case .named(let name): Image(name)
        case .address: loaded.map { Image(decorative: $0, scale: 1) } ?? Image(systemName: "photo")
        }
    }
}
#endif

#if canImport(SwiftUI) && !os(tvOS) && !os(watchOS)
import CoreGraphics
import Foundation
import SwiftUI

/// A picture of an item. A symbol takes the place of one from the web until it is loaded, and if it can't be loaded.
struct PictureView: View {
    private struct Loaded {
        let address: URL
        let picture: CGImage
    }

    @State private var loaded: Loaded?
    private let picture: CatalogItem.Picture
    private let isIcon: Bool

    init(_ picture: CatalogItem.Picture, isIcon: Bool = false) {
        self.picture = picture
        self.isIcon = isIcon
    }

    var body: some View {
        image
            .resizable()
            .scaledToFit()
            .foregroundStyle(.secondary)
            .frame(maxHeight: isIcon || isMissing ? 44 : nil)
            .accessibilityHidden(true)
            .task(id: picture) { await load() }
    }

    private var image: Image {
        switch picture {
        case .named(let name): Image(name)
        case .address: current.map { Image(decorative: $0.picture, scale: 1) } ?? Image(systemName: "photo")
        }
    }

    private var address: URL? {
        if case .address(let address) = picture { address } else { nil }
    }

    /// The loaded picture, unless a new catalog has another address.
    private var current: Loaded? { loaded?.address == address ? loaded : nil }

    private var isMissing: Bool { address != nil && current == nil }

    private func load() async {
        guard let address, current == nil else { return }
        // An icon has 3 pixels per point. A page is nowhere wider than 1,600 pixels.
        let side = isIcon ? 3 * 44 : 1_600
        guard let picture = await CGImage.loaded(from: address, side: side) else { return }
        loaded = Loaded(address: address, picture: picture)
    }
}
#endif

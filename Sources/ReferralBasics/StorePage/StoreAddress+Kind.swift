extension StoreAddress {
    /// The kinds of pages with an ID that isn't an app's. `web/store-page.js` has the same.
    private static let otherKinds: Set = [
        "album", "app-bundle", "artist", "audiobook", "author", "book", "charts", "collection", "curator", "developer",
        "genre", "grouping", "itunes-u", "lookup", "movie", "music-video", "playlist", "podcast", "room", "search",
        "story", "tv-season", "tv-show",
    ]

    /// The path components that may precede the kind, besides a country.
    private static let devices: Set = ["iphone", "ipad", "mac", "watch", "vision"]

    /// The kind of a page that isn't an app's, such as `developer`.
    var otherKind: String? {
        for component in path.split(separator: ASCII.slash) {
            let name = String(decoding: component.map(ASCII.lowercased), as: UTF8.self)
            let isCountry = component.count == 2 && component.allSatisfy(ASCII.isLetter)
            if !isCountry, !Self.devices.contains(name) { return Self.otherKinds.contains(name) ? name : nil }
        }
        return nil
    }

    /// Why the address names no app.
    var missingApp: StorePageError {
        let last = path.split(separator: ASCII.slash).last
        return otherKind == nil && last.map(AppID.areDigits) == true ? .missingIDPrefix : .missingAppID
    }
}

extension StorePage {
    /// A probable mistake in an address that is accepted, and the solution.
    package var note: String? {
        let isEscaped = address.withUTF8Bytes { bytes in
            (try? StoreAddress(bytes))?.items.contains { $0.bytes.starts(with: ("amp;" as StaticString).utf8) }
        }
        return isEscaped == true
            ? "it contains &amp;, as in HTML, so the store doesn't recognize the items after it; write & in its place"
            : nil
    }
}

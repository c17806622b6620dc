/// What the silent probe must see on the pasteboard, so that a bridge reads it and the system may ask the user.
public enum PasteboardProbe: Sendable, Hashable {
    /// An address, or text that looks like one, whoever copied it.
    case anyAddress

    /// An address that a web page's script copied, as a tap on a link with a referrer does.
    ///
    /// WebKit then leaves a type of its own beside the address, and no formatted text. An address that the user copied from the
    /// address bar, from a share sheet, from a text or in another app has no such type or has formatted text, so nobody is asked
    /// about it. A page's own button to copy an address can't be told from a tap.
    ///
    /// If the pasteboard can't list its types, any address counts. On a Mac, only what Safari and other apps with WebKit have copied
    /// counts.
    ///
    /// - Important: The types were measured with WebKitGTK, and read in WebKit's source for iOS. They weren't seen on a device yet.
    case copiedByAPage

    /// The type that WebKit adds to what a script or a selection has copied (`PasteboardCustomData` in WebKit's source).
    private static let webKit = "com.apple.WebKit.custom-pasteboard-data"

    /// The types of formatted text, which a selection has and the copy of a script doesn't.
    private static let formatted: Set<String> = [
        "public.html", "public.rtf", "com.apple.flat-rtfd", "com.apple.webarchive", "Apple Web Archive pasteboard type",
    ]

    /// Looks silently whether there is a link that is to be read.
    func accepts(_ pasteboard: some Pasteboard) async throws -> Bool {
        guard try await pasteboard.mayHoldLink() else { return false }
        // The types aren't needed for any address, and each access may take long.
        guard self == .copiedByAPage, let types = await pasteboard.types else { return true }
        return types.contains(Self.webKit) && Self.formatted.isDisjoint(with: types)
    }
}

/// Why an address isn't that of an App Store page, or why a page can't be made from its parts.
public enum StorePageError: Error, Sendable, Equatable {
    /// The string doesn't begin with `http`, `https`, `itms-apps`, `itms-appss`, `itms` or `itmss` and `://`.
    case unsupportedScheme

    /// The address is longer than 65,536 bytes of UTF-8.
    case tooLong

    /// There is a user name in front of the host (`https://me@apps.apple.com/…`). Browsers hide it, so it is used for
    /// fraud.
    case containsUserInfo

    /// The host isn't `apps.apple.com`, `itunes.apple.com` or one of the additional hosts.
    case unsupportedHost

    /// Neither a path component `id…` nor a query item `id` names an app with 1 to 19 digits.
    case missingAppID

    /// The address names no app, and its path ends with a number that has no `id` before it.
    case missingIDPrefix

    /// The address is that of a page of another kind, such as `developer`, `app-bundle` or `story`. The number in it isn't
    /// an app's.
    case notAnAppPage(kind: String)

    /// The address contains a control character, a line or paragraph separator, or a bidirectional control.
    case containsControlCharacter

    /// A part of a new page isn't valid: `storefront`, `slug`, `pt`, `ct` or `ppid`. The problem is a sentence.
    case invalidPart(name: String, problem: String)
}

extension StorePageError: CustomStringConvertible {
    /// A sentence suitable for display.
    public var description: String {
        switch self {
        case .unsupportedScheme:
            "It does not begin with https://, http://, itms-apps:// or another scheme of the App Store."
        case .tooLong: "The address is longer than 65,536 bytes."
        case .containsUserInfo: "There is a user name (an @) in front of the address's host."
        case .unsupportedHost: "The host is not the App Store's, apps.apple.com or itunes.apple.com."
        case .missingAppID:
            "The address names no app: neither /id and 1 to 19 digits in its path nor an item id in its query."
        case .missingIDPrefix:
            "The address names no app: write id before the number at the end of its path, as in /id1300230302."
        case .notAnAppPage(let kind):
            "The address names no app but another page of the store ('\(kind.shown)'). Copy the address of the app's own page."
        case .containsControlCharacter: "There is a control character inside the address."
        case .invalidPart(_, let problem): problem.shown(upTo: 400)
        }
    }

    static func invalid(_ part: String, _ problem: Sentence) -> Self { .invalidPart(name: part, problem: problem.text) }
}

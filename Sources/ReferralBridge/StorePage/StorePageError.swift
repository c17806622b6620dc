/// Why an address is no App Store page, or a page cannot be made from its parts.
public enum StorePageError: Error, Sendable, Hashable {
    /// The string does not begin with `http`, `https`, `itms-apps`, `itms-appss`, `itms` or `itmss` and `://`.
    case noStoreScheme

    /// The address is longer than 65,536 bytes of UTF-8.
    case tooLong

    /// There is a user name in front of the host (`https://me@apps.apple.com/…`): browsers hide it, and frauds use it.
    case userInfo

    /// The host is not `apps.apple.com`, `itunes.apple.com` or one of the additional hosts.
    case otherHost

    /// Neither a path component `id…` nor a query item `id` names an app with 1 to 19 digits.
    case noAppID

    /// There is a control character, a line or paragraph separator or a bidirectional control inside the address.
    case controlCharacter

    /// A storefront is two ASCII letters, an ISO 3166-1 country code such as `us`.
    case storefront(String)

    /// A slug is a path component: not empty, not `.` or `..`.
    case slug(String)

    /// A campaign token `ct` is 1 to 40 bytes of UTF-8; this one has the given number.
    case campaignToken(bytes: Int)

    /// A provider token `pt` is not empty.
    case providerToken

    /// A custom product page's `ppid` is a UUID, as App Store Connect shows it.
    case customProductPage(String)
}

extension StorePageError: CustomStringConvertible {
    /// A sentence fit to show.
    public var description: String {
        switch self {
        case .noStoreScheme:
            "It does not begin with https://, http://, itms-apps:// or another scheme of the App Store."
        case .tooLong: "The address is longer than 65,536 bytes."
        case .userInfo: "There is a user name (an @) in front of the address's host."
        case .otherHost: "The host is not the App Store's, apps.apple.com or itunes.apple.com."
        case .noAppID:
            "The address names no app: neither /id and 1 to 19 digits in its path nor an item id in its query."
        case .controlCharacter: "There is a control character inside the address."
        case .storefront(let text): "The storefront is “\(text)”; it must be a country code of two letters, such as us."
        case .slug(let text): "The slug is “\(text)”; it must be a name such as trestle-the-new-sudoku."
        case .campaignToken(let bytes): "The campaign token ct has \(bytes) bytes; it must have 1 to 40."
        case .providerToken: "The provider token pt is empty."
        case .customProductPage(let text): "The product page ppid is “\(text)”; it must be a UUID."
        }
    }
}

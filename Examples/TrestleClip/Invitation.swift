import Foundation

/// What the clip shows of an address. The app judges the address itself.
struct Invitation {
    let text: String

    init?(_ address: URL) {
        let items = URLComponents(url: address, resolvingAgainstBaseURL: true)?.queryItems ?? []
        // Anyone can write an address, so the name is short, and no text that could pass for the clip's own words.
        let name = items.first { $0.name == "via" }?.value?.prefix { $0.isLetter || $0.isNumber }.prefix(20) ?? ""
        guard !name.isEmpty else { return nil }
        text = "\(name) invited you to a board."
    }
}

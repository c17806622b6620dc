import ReferralBridge
import WireText

extension Grant {
    /// The name of the folder for its content: what it is, and its identifier if that can be part of any file's name.
    ///
    /// A reward's name says how long its identifier is: `a b` by `c` isn't `a` by `b c`.
    var folderName: String {
        switch source {
        case .purchase(let id): "purchase-" + Self.fileName(id)
        case .reward(let id, let referrer): "reward-" + Self.fileName("\(id.utf8.count) \(id) \(referrer)")
        case .free(let item): "free-" + Self.fileName(item)
        }
    }

    /// Digits as they are; anything else, which may differ by case only or climb out of the folder, by its digest.
    private static func fileName(_ text: String) -> String {
        if text.utf8.count <= 40, text.utf8.allSatisfy(ASCII.isDigit) { return text }
        return String(SHA256.digest(Array(text.utf8)).hexadecimal.prefix(32))
    }
}

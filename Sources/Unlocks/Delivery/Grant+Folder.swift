extension Grant.Source {
    /// The name of the folder for its content: the kind of grant and its identifier, as a digest if that isn't a safe
    /// file name.
    ///
    /// The folder name of a reward contains the length of its identifier, so that `a b` by `c` differs from `a` by `b c`.
    var folderName: String {
        switch self {
        case .purchase(let id): "purchase-" + Self.fileName(id.rawValue)
        case .reward(let id, let referrer): "reward-" + Self.fileName("\(id.rawValue.utf8.count) \(id) \(referrer)")
        case .invited(let id, let program, let number):
            "invited-" + Self.fileName("\(id.rawValue.utf8.count) \(id) \(number) \(program)")
        case .free(let item): "free-" + Self.fileName(item.rawValue)
        }
    }

    /// Digits unchanged, or a digest of any other text, which may differ only in case or lead out of the folder.
    private static func fileName(_ text: String) -> String {
        if text.utf8.count <= 40, text.utf8.allSatisfy(ASCII.isDigit) { return text }
        return String(SHA256.digest(Array(text.utf8)).hexadecimal.prefix(32))
    }
}

/// Changes what was written into what nobody would write.
struct Mutation {
    var chance: Chance
    /// The folder that everything is in, for absolute paths.
    let root: String
    /// What was changed of stored files, for messages.
    private(set) var changed: [String] = []

    init(chance: Chance, root: String) {
        self.chance = chance
        self.root = root
    }

    static let numbers = [
        "-1", "0", "1", "4", "0.5", "-0", "00", "1e3", "1e308", "1e999", "9007199254740991", "9007199254740992",
        "9223372036854775807", "18446744073709551616", "1795224750690000", "null", "true", "\"1\"", "[]", "{}",
    ]

    static let names = [
        "", ".", "..", "/", "../Library/Preferences/app.plist", "../../Library/keys.db", "../Library/keys.db",
        "../Outside/secret.txt", ".handoff/defaults.plist", "../Outside/new.txt", "../neighbor.txt",
        "../../../../../../tmp/attacked", "kept/../notes.txt", "kept/../../neighbor.txt", "./notes.txt", "notes.txt/",
        "kept//mine.txt", "kept/./mine.txt", "notes.txt/inner", "boards.sqlite/inner", "kept", "kept/mine.txt",
        "elsewhere", "elsewhere/secret.txt", "elsewhere/new.txt", "trip", "trip-journal", "trip-journal/day.txt",
        "trip-wal", "work", "work-wal", "work-shm", "boards.sqlite-wal", "boards.sqlite-journal", "boards.sqlite",
        "BOARDS.sqlite", "Notes.txt", "pictures", "pictures/1.jpg", "\u{E9}", "e\u{301}", "\u{DF}", "\u{1E9E}", "SS",
        "\u{FB00}", "\u{131}", "\u{130}", "\u{212B}", "\u{3A9}", "\u{2126}", "a\u{0}b", "a\nb", "\u{7F}", " a", "a ",
        "a\\b", "..\\b", "a:b", "\u{FEFF}notes.txt", "\u{202E}txt", "%2e%2e/x", "\u{FF0E}\u{FF0E}/x", ".handoff",
        ".HANDOFF", ".Handoff/x/journal.json", ".handoff/x/replacing.json", ".handoff/x/new/keep",
        ".handoff/x/old/keep", ".handoff./x", ".hando\u{FB00}", ".hando\u{FB00}/x/journal.json",
        "DataHandoff/receiver.json", "../Support/DataHandoff/receiver.json", "manifest.json", "files", "receipt",
        "replacing.json", "undoing.json", "new", "new/deep", "old", "staged", "staged/x",
        "0123abcd-0123-4567-89ab-0123456789ab",
    ]

    static let texts = [
        "com.example.trestle", "com.example.trestle.lite", "com.example.other", "0123ABCD-0123-4567-89AB-0123456789AB",
        "00000000-0000-0000-0000-000000000000", "../../0123abcd", "\u{1F600}", "QUJD", "AAAAAAAAAAAAAAAAAAAAAA==",
    ]

    /// A name that a file shouldn't have, mostly.
    mutating func name() -> String {
        switch chance.number(0..<20) {
        case 0: String(repeating: "n", count: chance.pick([254, 255, 256, 5_000]))
        case 1: (0..<chance.pick([7, 8, 9, 300])).map { "\($0)" }.joined(separator: "/")
        case 2: root + "/Library/keys.db"
        case 3: recased(chance.pick(Self.names))
        case 4: chance.pick(Self.names) + "/" + chance.pick(Self.names)
        case 5: chance.pick(World.mine.keys.sorted())
        default: chance.pick(Self.names)
        }
    }

    mutating func text() -> String { chance.once(in: 3) ? chance.pick(Self.texts) : name() }

    private mutating func recased(_ name: String) -> String {
        String(name.map { chance.once(in: 2) ? Character(String($0).uppercased().prefix(1).description) : $0 })
    }
}

// MARK: - Bytes and JSON

extension Mutation {
    /// Changes a byte or two, or the length.
    mutating func bytes(_ bytes: [UInt8]) -> [UInt8] {
        var bytes = bytes
        guard !bytes.isEmpty else { return [UInt8(chance.number(0..<256))] }
        switch chance.number(0..<5) {
        case 0: bytes.removeLast(chance.number(0..<bytes.count))
        case 1: bytes += bytes.suffix(chance.number(1..<20))
        case 2: bytes.insert(UInt8(chance.number(0..<256)), at: chance.number(0..<bytes.count))
        default:
            for _ in 0..<chance.number(1..<3) {
                bytes[chance.number(0..<bytes.count)] = UInt8(chance.pick([0, 1, 0x22, 0x2F, 0x7F, 0x80, 0xC0, 0xFF]))
            }
        }
        return bytes
    }

    /// Changes JSON: its texts and its numbers mostly.
    mutating func json(_ json: [UInt8]) -> [UInt8] {
        var json = json
        for _ in 0..<chance.number(1..<4) {
            let tokens = Self.tokens(of: json)
            guard !tokens.isEmpty else { return bytes(json) }
            let token = chance.pick(tokens)
            switch chance.number(0..<16) {
            case 0: json = bytes(json)
            case 1: json = Array(json.prefix(token.lowerBound))
            case 2: json.removeSubrange(token)
            case 3: json.replaceSubrange(token, with: json[chance.pick(tokens)])
            case 4:
                json.insert(
                    contentsOf: [UInt8](String(repeating: "[", count: chance.pick([2, 600, 20_000]))),
                    at: token.lowerBound
                )
            case 5: json.replaceSubrange(token, with: [UInt8](chance.pick(Self.numbers)))
            case 6: json.insert(contentsOf: json[token] + [0x2C], at: token.lowerBound)
            default:
                let isText = json[token.lowerBound] == 0x22
                json.replaceSubrange(token, with: [UInt8](isText ? Self.quoted(text()) : chance.pick(Self.numbers)))
            }
        }
        return json
    }

    /// Where texts and numbers are.
    private static func tokens(of json: [UInt8]) -> [Range<Int>] {
        var tokens: [Range<Int>] = []
        var index = 0
        while index < json.count {
            let start = index
            if json[index] == 0x22 {
                index += 1
                while index < json.count, json[index] != 0x22 { index += json[index] == 0x5C ? 2 : 1 }
                index = min(index + 1, json.count)
                tokens.append(start..<index)
            } else if !"{}[]:, \n".utf8.contains(json[index]) {
                while index < json.count, !"{}[]:, \n\"".utf8.contains(json[index]) { index += 1 }
                tokens.append(start..<index)
            } else {
                index += 1
            }
        }
        return tokens
    }

    /// A text in JSON.
    static func quoted(_ text: String) -> String {
        var quoted = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"", "\\": quoted += "\\\(scalar)"
            case "\u{0}"..<" ": quoted += "\\u00" + (scalar.value < 16 ? "0" : "") + String(scalar.value, radix: 16)
            default: quoted.unicodeScalars.append(scalar)
            }
        }
        return quoted + "\""
    }
}

// MARK: - Stored files

extension Mutation {
    /// Changes something that is stored below a folder.
    ///
    /// - Returns: Whether only a file's contents have changed.
    mutating func stored(_ tree: inout Tree, below folders: [String]) -> Bool {
        let paths = tree.nodes.keys.filter { path in folders.contains { path.hasPrefix($0) } }.sorted()
        guard !paths.isEmpty else { return true }
        let records = paths.filter { $0.hasSuffix(".json") }
        let path = !records.isEmpty && chance.once(in: 2) ? chance.pick(records) : chance.pick(paths)
        if case .file(let content, let mode) = tree.nodes[path], !chance.once(in: 3) {
            changed.append(path)
            let isJSON = content.first == 0x7B || content.first == 0x5B
            tree.nodes[path] = .file(isJSON ? json(content) : bytes(content), mode: mode)
            return isJSON
        }
        let node = tree.nodes[path]
        let kind = chance.number(0..<12)
        let kinds = [
            "gone", "a folder", "a pipe", "empty", "a text", "a link", "a link", "a link", "a link", "elsewhere",
            "forged", "with more",
        ]
        changed.append("\(path) \(kinds[kind])")
        if kind < 9 || chance.once(in: 2) { tree.removeAll(at: path) }
        switch kind {
        case 0: break
        case 1: tree.nodes[path] = .folder(mode: 0o755)
        case 2: tree.nodes[path] = .pipe
        case 3: tree.nodes[path] = .file([], mode: 0o644)
        case 4: tree.nodes[path] = .file([UInt8](text()), mode: 0o644)
        case 5...8:
            let target = target(of: path)
            changed.append(target)
            tree.nodes[path] = .link(target)
        case 9:
            let other = chance.pick(paths)
            if !other.hasPrefix(path + "/"), !path.hasPrefix(other + "/") {
                tree.removeAll(at: other)
                tree.nodes[other] = node
            }
        case 10: tree.forge(path, chance.pick(Self.names), &self)
        default:
            if case .folder = node {
                tree.nodes[path] = node
                let transfer = "0123abcd-0123-4567-89ab-0123456789ab"
                let inner = chance.pick(["x", "replacing.json", "installed.json", "keep", "new", ".x", transfer])
                tree.nodes[path + "/" + inner] =
                    chance.once(in: 2) ? .folder(mode: 0o755) : .file([UInt8](text()), mode: 0o644)
            }
        }
        tree.removeOrphans()
        return false
    }

    /// Where a hostile link leads.
    private mutating func target(of path: String) -> String {
        let up = String(repeating: "../", count: path.split(separator: "/").count - 1)
        let targets = [
            "Library", "Library/keys.db", "Outside", "Outside/secret.txt", "Documents/kept", "Documents/kept/mine.txt",
            "missing", "Lite",
        ]
        return chance.once(in: 8)
            ? chance.pick([".", "..", path.split(separator: "/").last.map(String.init) ?? "x"])
            : up + chance.pick(targets)
    }
}

extension Tree {
    mutating func removeAll(at path: String) {
        for other in nodes.keys where other == path || other.hasPrefix(path + "/") { nodes[other] = nil }
    }

    /// Removes what is in a folder that isn't there.
    mutating func removeOrphans() {
        for path in nodes.keys.sorted() {
            guard let slash = path.lastIndex(of: "/") else { continue }
            if case .folder = nodes[String(path[..<slash])] { continue }
            nodes[path] = nil
        }
    }

    /// Gives the file that a record speaks of another name, in the record too.
    mutating func forge(_ path: String, _ name: String, _ mutation: inout Mutation) {
        guard let part = World.sent.keys.first(where: { path.hasSuffix("/" + $0) }) else { return }
        let folder = String(path.dropLast(part.utf8.count + 1))
        let node = nodes[path]
        for (record, content) in nodes {
            guard record.hasSuffix(".json"), case .file(let bytes, let mode) = content else { continue }
            let escaped = part.split(separator: "/").joined(separator: "\\/")
            let forged = bytes.text.replacing("\"\(part)\"", with: Mutation.quoted(name))
                .replacing("\"\(escaped)\"", with: Mutation.quoted(name))
            nodes[record] = .file([UInt8](forged), mode: mode)
        }
        var components: [Substring] = []
        for component in (folder + "/" + Tree.key(Array(name.utf8))).split(separator: "/") where component != "." {
            if component == ".." { _ = components.popLast() } else { components.append(component) }
        }
        let place = components.joined(separator: "/")
        guard place.hasPrefix("Support/") || place.hasPrefix("Documents/."), !place.utf8.contains(0) else { return }
        addFolders(of: place + "/x")
        nodes[place] = node
        nodes[folder + "/keep"] = .file([], mode: 0o644)
    }
}

import DataHandoff
import Foundation
import ReferralBridge

/// A package, in parts that can be changed before it is written.
struct HostilePackage {
    struct File {
        var name: String
        var contents: [UInt8]
        var length: String?
        var sha256: String?
    }

    // Values in JSON.
    var transfer = Mutation.quoted("0123abcd-0123-4567-89ab-0123456789ab")
    var created = "1795224750690"
    var sender = Mutation.quoted(Apps.lite)
    var receiver = Mutation.quoted(Apps.paid)
    var schema = "2"
    var files = World.sent.sorted { $0.key < $1.key }.map { File(name: $0.key, contents: [UInt8]($0.value)) }
    var more = ""

    var manifest: [UInt8] {
        let files = files.map { file in
            let digest = file.sha256 ?? SHA256.digest(file.contents).hexadecimal
            return
                #"{"name":\#(Mutation.quoted(file.name)),"length":\#(file.length ?? "\(file.contents.count)"),"sha256":"\#(digest)"}"#
        }
        return [UInt8](
            #"{"transfer":\#(transfer),"created":\#(created),"from":\#(sender),"to":\#(receiver),"schema":\#(schema),"#
                + #""files":[\#(files.joined(separator: ","))]\#(more)}"#
        )
    }

    /// The package as bytes.
    func bytes(manifest: [UInt8], key: [UInt8]? = nil) -> [UInt8] {
        let length = stride(from: 24, through: 0, by: -8).map { UInt8(truncatingIfNeeded: manifest.count >> $0) }
        return [UInt8]("RBH1") + [0, key == nil ? 0 : 1] + (key ?? []) + length + manifest + files.flatMap(\.contents)
    }

    /// Puts the package into a folder of a tree.
    func put(into tree: inout Tree, at folder: String, manifest: [UInt8]) {
        tree.nodes["Group/Handoff"] = .folder(mode: 0o755)
        tree.addFolders(of: folder + "/files/x")
        tree.nodes[folder + "/manifest.json"] = .file(manifest, mode: 0o644)
        for file in files {
            // Names that a folder can't have stay in the manifest alone.
            let parts = file.name.split(separator: "/", omittingEmptySubsequences: false)
            guard parts.allSatisfy({ 1...255 ~= $0.utf8.count && $0 != "." && $0 != ".." && !$0.utf8.contains(0) }),
                file.name.utf8.count < 1_000
            else { continue }
            let place = folder + "/files/" + Tree.key(Array(file.name.utf8))
            guard tree.nodes[place] == nil else { continue }
            tree.addFolders(of: place)
            tree.nodes[place] = .file(file.contents, mode: 0o644)
        }
        tree.removeOrphans()
    }
}

extension Mutation {
    /// A package that is hostile in up to four ways.
    mutating func package(_ interrupted: [Tree]) -> HostilePackage {
        var package = HostilePackage()
        // Fewer files are faster, and all of them come often enough.
        while package.files.count > 1, !chance.once(in: 3) {
            package.files.remove(at: chance.number(0..<package.files.count))
        }
        for _ in 0..<chance.number(0..<5) {
            let place = chance.number(0..<package.files.count + 1)
            let isOne = place < package.files.count
            switch chance.number(0..<20) {
            case 0: package.transfer = Self.quoted(text())
            case 1: package.created = chance.pick(Self.numbers)
            case 2: package.sender = Self.quoted(text())
            case 3: package.receiver = Self.quoted(text())
            case 4: package.schema = chance.pick(Self.numbers)
            case 5: if isOne { package.files[place].length = chance.pick(Self.numbers) }
            case 6:
                if isOne { package.files[place].sha256 = String(repeating: chance.pick(["0", "A", ""]), count: 64) }
            case 7: if isOne { package.files[place].contents = [UInt8](text()) }
            case 8: if isOne { package.files.append(package.files[place]) }
            case 9: if isOne { package.files.remove(at: place) }
            case 10:
                package.more =
                    "," + Self.quoted(chance.pick(["files", "transfer", "to", "x"])) + ":" + chance.pick(Self.numbers)
            case 11: package.files = []
            case 12...14: package.files += workspace(of: chance.pick(interrupted))
            case 15: package.files.append(HostilePackage.File(name: HandoffDefaults.fileName, contents: defaults()))
            default:
                if isOne, chance.once(in: 2) {
                    package.files[place].name = name()
                } else {
                    package.files.append(HostilePackage.File(name: name(), contents: [UInt8](text())))
                }
            }
        }
        return package
    }

    /// User defaults, up to three bytes of which are others.
    private mutating func defaults() -> [UInt8] {
        let settings = Settings()
        settings.set(["Garden", "\u{E9}", Data(count: 20)] as [Any], forKey: "boards")
        settings.set(["isDark": true, "zoom": 0.5] as [String: Any], forKey: "theme")
        let list = try? HandoffDefaults(["boards", "theme"], in: settings).list()
        guard var bytes = list.map([UInt8].init) else { fatalError("user defaults can't be listed") }
        for _ in 0..<chance.number(0..<4) {
            bytes[chance.number(0..<bytes.count)] = chance.pick([
                0, 0x0A, 0x22, 0x26, 0x2F, 0x3C, 0x3E, 0x61, 0xA1, 0xFF,
            ])
        }
        return bytes
    }

    /// Files that look like those of an interrupted installation, to be put where the library might find them.
    private mutating func workspace(of tree: Tree) -> [HostilePackage.File] {
        var tree = tree
        let paths = tree.nodes.keys.filter { $0.hasPrefix("Documents/.") || $0.hasPrefix("Support/") }.sorted()
        guard !paths.isEmpty else { return [] }
        for _ in 0..<chance.number(0..<3) {
            if chance.once(in: 2) {
                tree.forge(chance.pick(paths), chance.pick(Self.names), &self)
            } else {
                _ = stored(&tree, below: ["Documents/.", "Support/"])
            }
        }
        return tree.nodes.sorted { $0.key < $1.key }.compactMap { path, node in
            guard case .file(let bytes, _) = node else { return nil }
            let name: String
            if path.hasPrefix("Documents/.") {
                name = String(path.dropFirst("Documents/".utf8.count))
            } else if path.hasPrefix("Support/") {
                name = chance.once(in: 2) ? "../" + path : String(path.dropFirst("Support/".utf8.count))
            } else {
                return nil
            }
            return HostilePackage.File(name: Tree.place(name), contents: bytes)
        }
    }
}

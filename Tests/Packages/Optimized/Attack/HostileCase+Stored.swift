import DataHandoff
import Foundation
import ReferralBridge

extension HostileCase {
    /// Launches the app with storage that somebody has changed.
    mutating func runStored(_ world: inout World, _ interrupted: (scenario: Scenario, tree: Tree)) throws {
        var tree = interrupted.tree
        apps = interrupted.scenario.apps
        let count = mutation.chance.number(0..<4)
        story.append("interrupted \(interrupted.scenario.step), \(count) changes")
        var isReadable = true
        for _ in 0..<count {
            let folders =
                mutation.chance.once(in: 4)
                ? ["Support/DataHandoff/", "Group/Handoff/"] : ["Documents/.", "Support/DataHandoff/"]
            if !mutation.stored(&tree, below: folders) { isReadable = false }
        }
        story += mutation.changed
        world.load(tree)
        apps.endProcess(&world)
        let before = world.current
        let mentioned = Mentioned(before)
        let receipts = apps.recover()
        switch receipts {
        case .failure(let error):
            guard error is HandoffError else { throw error }
            // What can't be completed is undone, or set aside.
            story.append("\(error)")
            let again = apps.recover()
            if isReadable, case .failure(let error) = again { throw Broken("recovering fails again: \(error)") }
            try mentioned.check(before, world.look())
        case .success(let receipts):
            if count == 0 {
                world.look()
                let found = interrupted.scenario.state(world.current)
                guard found == .new || found == .old && receipts.isEmpty else { throw Broken("recovered, \(found)") }
            }
            for receipt in receipts { try? receipt.finish() }
            try mentioned.check(before, world.look())
        }
        story.append("recovered")
        if isReadable, mutation.chance.once(in: 2) {
            apps.endProcess(&world)
            try installReal(&world)
        }
    }

    /// Opens links as the sender, and sends, with storage that somebody has changed.
    mutating func runSender(_ world: inout World, _ interrupted: [Tree]) throws {
        story.append("sender")
        apps.hasGroup = mutation.chance.once(in: 2)
        apps.sealing = mutation.chance.pick([.none, .transparent])
        var tree = World.beginning
        let old = HostilePackage()
        if mutation.chance.once(in: 2) {
            old.put(into: &tree, at: "Group/Handoff/0123abcd-0123-4567-89ab-0123456789ab", manifest: old.manifest)
            old.put(
                into: &tree,
                at: "Group/Handoff/0123abcd-0123-4567-89ab-0123456789ab.unfinished",
                manifest: old.manifest
            )
        }
        world.load(tree)
        let carrier = mutation.chance.pick([HandoffCarrier.group, .link, .file])
        let nonce = Data((0..<16).map { UInt8($0) })
        // What the sender remembers of an earlier answer.
        let sent = apps.run { apps in try await apps.answer(nonce: nonce, by: carrier) }
        tree = world.look()
        for _ in 0..<mutation.chance.number(0..<3) {
            _ = mutation.stored(&tree, below: ["LiteSupport/DataHandoff/", "Group/Handoff/"])
        }
        story += mutation.changed
        world.load(tree)
        let digest = mutation.chance.once(in: 2) ? String(repeating: "0", count: 64) : (try? sent.get())?.digest ?? ""
        let choice = mutation.chance.number(0..<6)
        let proof = mutation.chance.pick([nil, TransparentSealer.proof, Data(repeating: 4, count: 16)])
        let before = world.current
        let result = apps.run { apps async throws -> Bool in
            let sender = try apps.sender()
            switch choice {
            case 0: _ = try await apps.answer(nonce: nonce, by: carrier)
            case 1: _ = try await sender.sendToGroup()
            case 2: _ = try await sender.makeFile()
            case 3:
                try apps.group.removeUnfinished()
            case 4: _ = try await sender.confirmations()
            default:
                let link = HandoffLink.receipt(nonce: nonce, digest: digest, proof: proof)
                guard let url = URL(string: try link.address(scheme: "trestle-lite")) else { return false }
                if case .receipt(let receipt) = try await sender.receive(url, from: Apps.paid) {
                    return receipt.isProven
                }
            }
            return false
        }
        if case .failure(let error) = result, !(error is HandoffError) { throw error }
        let isForged = digest != (try? sent.get())?.digest || apps.sealing == .none || proof != TransparentSealer.proof
        if case .success(true) = result, isForged { throw Broken("a forged receipt counts") }
        try Judge(before: before).check(world.look(), Judge.Changes())
    }
}

/// The files that records speak of.
private struct Mentioned {
    private let texts: [String]

    init(_ tree: Tree) {
        texts = tree.nodes.compactMap { path, node in
            guard path.hasPrefix("Support/") || path.hasPrefix("Documents/."), case .file(let bytes, _) = node else {
                return nil
            }
            return bytes.text.replacing("\\/", with: "/")
        }
    }

    /// Only these may have changed, and only in the person's folder.
    func check(_ before: Tree, _ after: Tree) throws {
        for path in before.changes(to: after) {
            if ["Support/DataHandoff", "Group/Handoff", "Documents/."].contains(where: path.hasPrefix) { continue }
            guard path.hasPrefix("Documents/") else { throw Broken("outside, \(path) changed") }
            let name = Tree.place(String(path.dropFirst("Documents/".utf8.count)))
            let names =
                [name] + ["-wal", "-shm", "-journal"].filter(name.hasSuffix).map { String(name.dropLast($0.count)) }
            guard names.contains(where: { name in texts.contains { $0.contains(name) } }) else {
                throw Broken("no record speaks of \(name), and it changed")
            }
        }
    }
}

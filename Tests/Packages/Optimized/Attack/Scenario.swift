import Calls
import DataHandoff
import Foundation
import ReferralBridge

/// A step of one of the apps, from a state of the disk, and what it may lead to.
@MainActor
struct Scenario {
    enum Step: CaseIterable {
        case install, add, new, volume, merge, recover, group, link, send, file
    }

    let step: Step
    let apps: Apps
    /// The disk before the step.
    let beginning: Tree
    /// The person's folder before and after it.
    let (old, new): (Tree, Tree)

    /// All scenarios; for `recover` one for each state in which an installation may have been ended.
    static func all(_ world: inout World) -> [Scenario] {
        var scenarios: [Scenario] = []
        for step in Step.allCases where step != .recover {
            scenarios.append(Scenario(step, &world))
            if [.install, .volume, .group].contains(step) {
                let installation = scenarios[scenarios.count - 1]
                scenarios += installation.interruptions(&world).map { Scenario(recovering: $0, installation) }
            }
        }
        return scenarios
    }

    init(_ step: Step, _ world: inout World) {
        self.step = step
        var apps = Apps(root: world.root)
        (apps.hasGroup, apps.sealing) = (step == .group || step == .send, step == .link ? .real : .none)
        apps.isOnOtherVolume = step == .volume
        // A folder that isn't there yet.
        if step == .new { apps.destinationName += "/made" }
        self.apps = apps
        var tree = World.beginning
        if step == .add {
            for name in World.sent.keys + ["boards.sqlite-wal", "boards.sqlite-shm"] {
                tree.nodes["Documents/" + name] = nil
            }
        }
        world.load(tree)
        switch step {
        case .install, .add, .new, .volume, .merge: Self.writePackage(apps)
        case .group: _ = apps.run { apps in try await apps.sender().sendToGroup() }
        default: break
        }
        beginning = world.look()
        old = beginning.below(apps.destinationName)
        var new = old
        for (name, text) in World.sent {
            var mode: mode_t = 0o644
            if case .file(_, let oldMode) = old.nodes[name] { mode = oldMode }
            new.addFolders(of: name)
            new.nodes[name] = .file([UInt8](text), mode: mode)
        }
        for suffix in ["-wal", "-shm"] { new.nodes["boards.sqlite" + suffix] = nil }
        self.new = new
    }

    private init(recovering tree: Tree, _ installation: Scenario) {
        step = .recover
        apps = installation.apps
        beginning = tree
        old = installation.old
        new = installation.new
    }

    /// A package in a file.
    static func writePackage(_ apps: Apps, at path: String = "Inbox/package.handoff") {
        let files = World.sent.sorted { $0.key < $1.key }.map { (name: $0.key, contents: Data($0.value.utf8)) }
        let package = try? HandoffPackage(
            files: files,
            schema: 2,
            from: Apps.lite,
            to: Apps.paid,
            created: Apps.now,
            transfer: UUID(uuidString: "0123ABCD-0123-4567-89AB-0123456789AB") ?? UUID()
        )
        guard let bytes = try? package?.bytes() else { fatalError("there is no package") }
        Tree.write(.file([UInt8](bytes), mode: 0o644), to: apps.root + "/" + path)
    }

    /// The disk before each call that changes it, as a process leaves it that is ended there.
    func interruptions(_ world: inout World) -> [Tree] {
        world.load(beginning)
        let observer = Interruptions.shared
        (observer.root, observer.trees) = (world.root, [beginning])
        calls_observe(lookBefore)
        let prepared = prepare()
        calls_start(world.root)
        _ = run(prepared)
        calls_stop()
        calls_observe(nil)
        observer.look()
        world.look()
        return observer.trees.map(\.ended)
    }
}

private func lookBefore(_ call: UnsafePointer<call>) {
    if call.pointee.is_done == 0, call_changes(call) != 0 { Interruptions.shared.look() }
}

/// Looks at the disk while a step runs, on the thread that runs everything.
private final class Interruptions {
    nonisolated(unsafe) static let shared = Interruptions()
    var root = ""
    var trees: [Tree] = []

    func look() {
        calls_pause(1)
        let tree = Tree(at: root)
        calls_pause(0)
        if tree != trees.last { trees.append(tree) }
    }
}

// MARK: - Running

extension Scenario {
    /// What a step returns: a receipt, or what was sent.
    enum Outcome {
        case receipts([HandoffReceipt])
        case manifest(HandoffManifest)
        case file(URL)
    }

    /// What comes before the step, such as a request before its answer.
    func prepare() -> URL? {
        guard step == .link else { return nil }
        let url = apps.run { apps in
            let (receiver, sender) = (try apps.receiver(), try apps.sender())
            guard case .request(var delivery) = try await sender.receive(receiver.request(), from: Apps.paid) else {
                throw HandoffError.notALink
            }
            delivery.carrier = .link
            guard case .open(let url) = try await delivery.send() else { throw HandoffError.notALink }
            return url
        }
        guard case .success(let url) = url else { fatalError("no answer: \(url)") }
        return url
    }

    /// Runs the step.
    func run(_ answer: URL?) -> Result<Outcome, any Error> {
        apps.run { apps in
            switch step {
            case .install, .add, .new, .volume:
                let offer = try await apps.receiver().receive(fileAt: apps.place("Inbox/package.handoff"))
                return .receipts([try await offer.install(into: apps.destination, replacing: step != .add)])
            case .merge:
                let offer = try await apps.receiver().receive(fileAt: apps.place("Inbox/package.handoff"))
                return .receipts([try await offer.merge(Self.merging)])
            case .recover:
                return .receipts(try await apps.receiver().recover(in: apps.destination).receipts)
            case .group:
                let receiver = try apps.receiver()
                guard let manifest = try await receiver.packages().first?.manifest.get() else {
                    throw HandoffError.noGroup
                }
                return .receipts([try await receiver.open(manifest).install(into: apps.destination)])
            case .link:
                guard let answer, case .offer(let offer) = try await apps.receiver().receive(answer, from: Apps.lite)
                else {
                    throw HandoffError.notALink
                }
                return .receipts([try await offer.install(into: apps.destination)])
            case .send: return .manifest(try await apps.sender().sendToGroup())
            case .file: return .file(try await apps.sender().makeFile())
            }
        }
    }

    /// The app's own code of a merge. Its calls don't fail.
    nonisolated static func merging(_ folder: URL) throws {
        calls_pause(1)
        defer { calls_pause(0) }
        let found = Tree(at: folder.path)
        for (name, text) in World.sent {
            guard case .file(let bytes, _) = found.nodes[name], bytes == [UInt8](text) else {
                throw Broken("merge saw another \(name)")
            }
        }
    }
}

// MARK: - What it leads to

extension Scenario {
    enum Installed: Equatable, CustomStringConvertible {
        case old, new
        case mixed(String)

        var description: String {
            switch self {
            case .old: "nothing has changed"
            case .new: "everything has changed"
            case .mixed(let names): "it is mixed: \(names)"
            }
        }
    }

    /// What the person's folder holds. A workspace and empty folders in it don't count.
    func state(_ tree: Tree) -> Installed {
        var found = tree.below(apps.destinationName)
        for path in found.nodes.keys where path.hasPrefix(".") { found.nodes[path] = nil }
        for (path, node) in found.nodes.sorted(by: { $0.key > $1.key }) {
            guard case .folder = node, old.nodes[path] == nil else { continue }
            if !found.nodes.keys.contains(where: { $0.hasPrefix(path + "/") }) { found.nodes[path] = nil }
        }
        if found == new { return .new }
        if found == old { return .old }
        let (fromOld, fromNew) = (found.changes(to: old), found.changes(to: new))
        return .mixed("\(fromOld) aren't old, \(fromNew) aren't new")
    }
}

/// A promise that the library has broken.
struct Broken: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}

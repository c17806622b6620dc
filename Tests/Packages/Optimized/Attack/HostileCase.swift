import DataHandoff
import Foundation
import ReferralBridge

/// One hostile package, or one hostile state of the disk, and what the apps do with it. All of it follows from a seed.
@MainActor
struct HostileCase {
    var mutation: Mutation
    var apps: Apps
    /// What was done, for messages.
    var story: [String] = [] {
        didSet { note(story) }
    }
    private let note: ([String]) -> Void

    private static let bystander = "Group/Handoff/aaaaaaaa-0000-4000-8000-000000000000"

    init(seed: UInt64, root: String, note: @escaping ([String]) -> Void) {
        self.note = note
        mutation = Mutation(chance: Chance(seed: seed), root: root)
        apps = Apps(root: root)
    }

    /// Runs the case.
    ///
    /// - Parameters:
    ///   - world: The disk.
    ///   - interrupted: States in which installations were interrupted.
    /// - Throws: What the library has done wrong.
    mutating func run(_ world: inout World, _ interrupted: [(Scenario, Tree)]) throws {
        switch mutation.chance.number(0..<20) {
        case 0..<6: try runFile(&world, interrupted.map(\.1))
        case 6..<9: try runLink(&world, interrupted.map(\.1))
        case 9..<13: try runGroup(&world, interrupted.map(\.1))
        case 13..<18: try runStored(&world, mutation.chance.pick(interrupted))
        default: try runSender(&world, interrupted.map(\.1))
        }
    }

    // MARK: Packages

    private mutating func runFile(_ world: inout World, _ interrupted: [Tree]) throws {
        story.append("file")
        apps.isOnOtherVolume = mutation.chance.once(in: 4)
        let package = mutation.package(interrupted)
        var bytes = package.bytes(manifest: manifest(of: package))
        if mutation.chance.once(in: 8) { bytes = mutation.bytes(bytes) }
        var tree = World.beginning
        tree.nodes["Inbox/package.handoff"] =
            switch mutation.chance.number(0..<40) {
            case 0: .pipe
            case 1: .link("../Library")
            case 2: .folder(mode: 0o755)
            default: .file(bytes, mode: 0o644)
            }
        world.load(tree)
        try decide(&world) { apps in try await apps.receiver().receive(fileAt: apps.place("Inbox/package.handoff")) }
    }

    private mutating func runLink(_ world: inout World, _ interrupted: [Tree]) throws {
        story.append("link")
        apps.sealing = mutation.chance.pick([.none, .transparent])
        apps.hasGroup = mutation.chance.once(in: 3)
        let package = mutation.package(interrupted)
        let manifest = manifest(of: package)
        let isSealed = apps.sealing == .transparent && !mutation.chance.once(in: 5)
        var bytes = package.bytes(manifest: manifest, key: isSealed ? TransparentSealer.key : nil)
        if mutation.chance.once(in: 8) { bytes = mutation.bytes(bytes) }
        var tree = World.beginning
        // An open package without files may stand for one in the shared folder.
        if apps.hasGroup {
            HostilePackage().put(into: &tree, at: "Group/Handoff/\(transfer(of: package))", manifest: manifest)
        }
        world.load(tree)
        let (isForeign, isTwice) = (mutation.chance.once(in: 10), mutation.chance.once(in: 4))
        try decide(&world) { apps in
            let receiver = try apps.receiver()
            let request = try await receiver.request()
            guard case .request(let nonce, _) = try HandoffLink.parse(request.absoluteString) else {
                throw Broken("a request isn't one")
            }
            let link = HandoffLink.answer(nonce: isForeign ? Data(count: 16) : nonce, package: Data(bytes))
            guard let url = URL(string: try link.address(scheme: "trestle")) else { throw HandoffError.notALink }
            guard case .offer(let offer) = try await receiver.receive(url, from: Apps.lite) else {
                throw HandoffError.notALink
            }
            if isForeign { throw Broken("an answer to nothing is an offer") }
            if isTwice, (try? await receiver.receive(url, from: Apps.lite)) != nil {
                throw Broken("an answer counts twice")
            }
            return offer
        }
    }

    private mutating func runGroup(_ world: inout World, _ interrupted: [Tree]) throws {
        story.append("group")
        apps.hasGroup = true
        var tree = World.beginning
        var other = HostilePackage()
        other.receiver = Mutation.quoted("com.example.other")
        other.transfer = Mutation.quoted("aaaaaaaa-0000-4000-8000-000000000000")
        other.put(into: &tree, at: Self.bystander, manifest: other.manifest)
        let package = mutation.package(interrupted)
        let folder = "Group/Handoff/" + transfer(of: package)
        package.put(into: &tree, at: folder, manifest: manifest(of: package))
        for _ in 0..<mutation.chance.number(0..<3) { _ = mutation.stored(&tree, below: [folder]) }
        story += mutation.changed
        world.load(tree)
        let which = mutation.chance.number(0..<2)
        try decide(&world) { apps in
            let receiver = try apps.receiver()
            let manifests = try await receiver.packages().compactMap { try? $0.manifest.get() }
            guard !manifests.isEmpty else { throw HandoffError.notAPackage }
            return try await receiver.open(manifests[min(which, manifests.count - 1)])
        }
        guard world.current.below(Self.bystander) == tree.below(Self.bystander) else {
            let changes = world.current.below(Self.bystander).changes(to: tree.below(Self.bystander))
            throw Broken("another app's package changed: \(changes)")
        }
    }

    private mutating func manifest(of package: HostilePackage) -> [UInt8] {
        mutation.chance.once(in: 4) ? mutation.json(package.manifest) : package.manifest
    }

    /// The name of its folder, if it can have one.
    private func transfer(of package: HostilePackage) -> String {
        let name = package.transfer.dropFirst().dropLast()
        return name.utf8.allSatisfy { $0 == 0x2D || 0x30...0x39 ~= $0 || 0x61...0x66 ~= $0 } && !name.isEmpty
            ? String(name) : "0123abcd-0123-4567-89ab-0123456789ab"
    }
}

// MARK: - Decisions

extension HostileCase {
    /// Opens a package, does something with the offer, and launches the app again.
    private mutating func decide(
        _ world: inout World,
        _ open: @escaping @MainActor (Apps) async throws -> HandoffOffer
    ) throws {
        let before = world.current
        let (offer, choice) = (apps.run(open), mutation.chance.number(0..<10))
        let judge = Judge(before: before)
        var changes = Judge.Changes()
        switch offer {
        case .failure(let error):
            guard error is HandoffError else { throw error }
            story.append("not opened: \(error)")
        case .success(let offer):
            story.append("an offer of \(offer.manifest.files.map(\.name))")
            try Judge.checkNames(offer.manifest)
            changes = try act(on: offer, choice, &world)
        }
        try judge.check(world.look(), changes)
        // A package that was refused has left nothing, mostly.
        if case .failure = offer, !mutation.chance.once(in: 8) { return }
        try launch(&world, judge, changes)
        if mutation.chance.once(in: 8) { try installReal(&world) }
    }

    private mutating func act(on offer: HandoffOffer, _ choice: Int, _ world: inout World) throws -> Judge.Changes {
        let (destination, isHostile) = (apps.destination, mutation.chance.once(in: 2))
        let manifest = offer.manifest
        func installed(_ result: Result<HandoffReceipt, any Error>, replacing: Bool) throws -> Judge.Changes {
            switch result {
            case .success(let receipt):
                story.append("installed")
                let changes = Judge.Changes(manifest, replacing: replacing, isInstalled: true)
                if isHostile { try receipt.finish() }
                return changes
            case .failure(let error):
                guard error is HandoffError else { throw error }
                story.append("not installed: \(error)")
                return Judge.Changes(manifest, replacing: replacing, isInstalled: false)
            }
        }
        switch choice {
        case 0:
            story.append("declined")
            _ = apps.run { _ in try await offer.decline() }
            return Judge.Changes()
        case 1...2:
            story.append("merged")
            _ = apps.run { _ in
                try await offer.merge { folder in
                    guard isHostile else { return }
                    for file in manifest.files.prefix(2) { Tree.spoil(folder.path + "/" + file.name) }
                    throw HandoffError.corrupt
                }
            }
            guard isHostile else { return Judge.Changes() }
            return try installed(apps.run { _ in try await offer.install(into: destination) }, replacing: true)
        case 3...5:
            story.append("adding")
            return try installed(
                apps.run { _ in try await offer.install(into: destination, replacing: false) },
                replacing: false
            )
        case 6:
            story.append("installing twice")
            let first = apps.run { _ in try await offer.install(into: destination) }
            _ = apps.run { _ in try await offer.install(into: destination) }
            return try installed(first, replacing: true)
        default:
            story.append("installing")
            return try installed(apps.run { _ in try await offer.install(into: destination) }, replacing: true)
        }
    }

    /// Starts the receiver again and finishes what is there.
    private mutating func launch(_ world: inout World, _ judge: Judge, _ changes: Judge.Changes) throws {
        story.append("launched")
        apps.endProcess(&world)
        for receipt in try apps.recover().get() { try receipt.finish() }
        try judge.check(world.look(), changes)
        try judge.checkNothingLeft(world.current, changes)
    }

    /// Whatever was there before, a real package can be installed.
    mutating func installReal(_ world: inout World) throws {
        story.append("a real package")
        let before = world.current
        Scenario.writePackage(apps, at: "Inbox/real.handoff")
        let result = apps.run { apps in
            let offer = try await apps.receiver().receive(fileAt: apps.place("Inbox/real.handoff"))
            return (offer.manifest, try await offer.install(into: apps.destination))
        }
        var judge = Judge(before: before)
        judge.ignored = "Inbox/real.handoff"
        switch result {
        case .failure(let error):
            guard !Self.hasPlace(in: before.below("Documents")) else {
                throw Broken("a real package can't be installed: \(error)")
            }
            try judge.check(world.look(), Judge.Changes())
        case .success(let (manifest, receipt)):
            let changes = Judge.Changes(manifest, replacing: true, isInstalled: true)
            try receipt.finish()
            try judge.check(world.look(), changes)
        }
    }

    /// Whether a real package fits into a folder. A hostile one may have put a folder where a file belongs, a file where a folder
    /// belongs, or a file where SQLite would take it for a part of the database.
    private static func hasPlace(in folder: Tree) -> Bool {
        let outer = World.sent.keys.flatMap { name in
            name.indices.filter { name[$0] == "/" }.map { String(name[..<$0]) }
        }
        let isDatabase = folder.file("boards.sqlite")?.starts(with: World.database.utf8) ?? false
        let hasParts = ["-wal", "-shm", "-journal"].contains { folder.nodes["boards.sqlite" + $0] != nil }
        return World.sent.keys.allSatisfy { folder.nodes[$0] == nil || folder.file($0) != nil }
            && outer.allSatisfy { folder.nodes[$0] == nil || folder.isFolder($0) } && (isDatabase || !hasParts)
    }
}

import DataHandoff
import Foundation

extension Faults {
    /// What is around the folders of the apps never changes.
    func checkAround(_ scenario: Scenario) throws {
        let changes = world.current.changes(to: scenario.beginning).filter { path in
            !["Documents/", "Support/", "LiteSupport/", "Group/Handoff"].contains { path.hasPrefix($0) }
        }
        guard changes.isEmpty else { throw Broken("outside, \(changes) changed") }
    }

    /// A sender finds a receipt only if everything is there.
    func checkReceipts(_ scenario: Scenario, _ state: Scenario.Installed) throws {
        guard scenario.apps.hasGroup, state != .new else { return }
        let confirmations = scenario.apps.run { apps in try await apps.sender().confirmations() }
        guard case .success(let confirmations) = confirmations else {
            throw Broken("the sender can't look for receipts: \(confirmations)")
        }
        guard confirmations.isEmpty else { throw Broken("the sender finds a receipt, but \(state)") }
    }

    /// Once everything is finished, no copy of the data is left in the app's storage or beside the person's files.
    func checkNothingLeft(_ scenario: Scenario) throws {
        let data = Set(World.mine.values.map([UInt8].init) + World.sent.values.map([UInt8].init))
        for (path, node) in world.current.nodes {
            guard case .file(let bytes, _) = node, data.contains(bytes) else { continue }
            guard !path.hasPrefix("Support/"), !path.hasPrefix("Documents/.") else {
                throw Broken("\(path) is left")
            }
        }
    }

    private mutating func checkAgain(_ scenario: Scenario) throws {
        let again = scenario.run(nil)
        world.look()
        guard case .success = again else { throw Broken("it can't be tried again: \(again)") }
    }

    mutating func checkMerged(_ scenario: Scenario, _ result: Result<Scenario.Outcome, any Error>) throws {
        try checkAround(scenario)
        guard world.current.below("Documents") == scenario.old else { throw Broken("a merge has changed files") }
        scenario.apps.endProcess(&world)
        let recovered = scenario.apps.recover()
        guard case .success(let receipts) = recovered, receipts.isEmpty else {
            throw Broken("after a merge recovering gives \(recovered)")
        }
        world.look()
        try checkNothingLeft(scenario)
        try checkAgain(scenario)
    }

    /// Either there is a whole package, or none.
    mutating func checkSent(_ scenario: Scenario, _ result: Result<Scenario.Outcome, any Error>) throws {
        let count = try checkPackages(scenario)
        if case .success = result, count != 1 { throw Broken("\(count) packages after sending one") }
        try checkAgain(scenario)
    }

    /// - Returns: How many whole packages there are. Others are an error.
    func checkPackages(_ scenario: Scenario) throws -> Int {
        try checkAround(scenario)
        let apps = scenario.apps
        var count = 0
        for package in try apps.group.packages(for: HandoffRequirements(receiver: Apps.paid)) {
            guard case .success(let manifest) = package.manifest else {
                throw Broken("half a package, \(package.name), is in the folder: \(package.manifest)")
            }
            let files = world.current.below("Group/Handoff/\(manifest.transfer)/files")
            for (name, text) in World.sent {
                guard case .file(let bytes, _) = files.nodes[name], bytes == [UInt8](text) else {
                    throw Broken("\(name) is missing in a package")
                }
            }
            guard manifest.files.count == World.sent.count else { throw Broken("a package lists other files") }
            count += 1
        }
        return count
    }

    mutating func checkFile(_ scenario: Scenario, _ result: Result<Scenario.Outcome, any Error>) throws {
        try checkAround(scenario)
        let files = world.current.nodes.filter { path, node in
            if case .file = node { path.hasPrefix("LiteSupport/") && path.hasSuffix(".handoff") } else { false }
        }
        for (path, node) in files {
            guard case .file(let bytes, _) = node, (try? HandoffPackage(bytes: Data(bytes))) != nil else {
                throw Broken("\(path) is half a package")
            }
        }
        if case .success = result, files.count != 1 { throw Broken("\(files.count) files after making one") }
        try checkAgain(scenario)
    }
}

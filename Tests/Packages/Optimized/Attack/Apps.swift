import Calls
import DataHandoff
import Foundation
import ReferralBridge
import SimulatedRuntime

/// The two apps, with the library's calls. Each call runs to its end on this thread.
@MainActor
struct Apps: Hashable {
    nonisolated static let (lite, paid) = ("com.example.trestle.lite", "com.example.trestle")
    nonisolated static let now = Timestamp(milliseconds: 1_795_224_750_690)

    enum Sealing {
        case none
        /// With the real cipher.
        case real
        /// With one that anybody can write, so that what is in the seal is read.
        case transparent

        fileprivate var value: HandoffSealing {
            switch self {
            case .none: .unsealed
            case .real: .system
            case .transparent: .custom(TransparentSealer())
            }
        }
    }

    let root: String
    var hasGroup = false
    /// Whether the person's files are on another volume than the storage.
    var isOnOtherVolume = false
    var sealing = Sealing.none

    /// Where packages are installed, in the person's folder.
    var destinationName = "Documents"

    var destination: URL { place(destinationName) }

    func place(_ path: String) -> URL { URL(fileURLWithPath: root + "/" + path) }

    private var route: HandoffRoute {
        HandoffRoute(
            from: Self.lite,
            to: Self.paid,
            scheme: "trestle",
            returnScheme: "trestle-lite",
            group: hasGroup ? place("Group") : nil
        )
    }

    func receiver() throws -> HandoffReceiver {
        try HandoffReceiver(
            route,
            schemas: 1...3,
            storage: place("Support"),
            defaults: HandoffDefaults(["boards", "theme"], in: Settings()),
            sealing: sealing.value,
            clock: DeviceClock(now: { Self.now })
        )
    }

    func sender() throws -> HandoffSender {
        let files = files
        return try HandoffSender(
            route,
            storage: place("LiteSupport"),
            sealing: sealing.value,
            allowsOpenLinks: true
        ) {
            HandoffContents(schema: 2, files: files)
        }
    }

    var group: HandoffFolder { HandoffFolder(in: place("Group")) }

    /// What the sender sends.
    var files: [HandoffContents.File] { World.sent.keys.sorted().map { .init($0, at: place("Lite/" + $0)) } }

    /// Asks the sender with a nonce, and lets it send.
    ///
    /// - Returns: The digest of what it sent, if it waits for a receipt.
    func answer(nonce: Data, by carrier: HandoffCarrier) async throws -> (digest: String, url: URL)? {
        let key = sealing == .none ? nil : Data(TransparentSealer.key)
        let request = HandoffLink.request(nonce: nonce, publicKey: key)
        guard let url = URL(string: try request.address(scheme: "trestle-lite")),
            case .request(var delivery) = try await sender().receive(url, from: Self.paid)
        else { return nil }
        delivery.carrier = carrier
        guard case .open(let address) = try await delivery.send(),
            case .answer(_, let bytes) = try HandoffLink.parse(address.absoluteString)
        else { return nil }
        // A link through the folder carries a package without files.
        if carrier == .group { return nil }
        return (try TransparentSealer.unsealed(bytes).manifest.digest, address)
    }

    /// As if the process had ended, and another one had begun: what it has staged is another process's. The world must have looked.
    func endProcess(_ world: inout World) {
        let tree = world.current
        if tree.nodes.keys.contains(where: { $0.contains("staged/\(getpid())-") }) { world.load(tree.ended) }
    }

    /// Launches the receiver.
    ///
    /// - Returns: The receipts that are left.
    func recover() -> Result<[HandoffReceipt], any Error> {
        run { apps in try await apps.receiver().recover(in: apps.destination).receipts }
    }

    /// Runs something with these apps to its end.
    func run<Value>(_ body: @escaping @MainActor (Apps) async throws -> Value) -> Result<Value, any Error> {
        calls_set_volume(isOnOtherVolume ? root + "/Documents" : nil)
        var result: Result<Value, any Error>?
        JobQueue.run {
            Task {
                do { result = .success(try await body(self)) } catch { result = .failure(error) }
            }
        }
        guard let result else { fatalError("it waits for ever") }
        return result
    }
}

extension Tree {
    /// This as another process left it: what was staged isn't this one's, and random names are always the same.
    var ended: Tree {
        var ended = Tree()
        var known: [Substring: String] = [:]
        var files: [String: [String]] = [:]
        for (path, node) in nodes.sorted(by: { $0.key < $1.key }) {
            var new = path
            if !path.hasPrefix("Group/"), let start = Self.randomName(in: path) {
                let rest = path[start...]
                let random = rest.prefix { $0 != "/" }
                let process = random.hasPrefix("\(getpid())-") ? "999999999-0-" : ""
                let number = String("\(1_000_000_000_000 + known.count)".dropFirst())
                let name = known[random] ?? process + "00000000-0000-4000-9000-" + number
                known[random] = name
                new = path[..<start] + name + rest.dropFirst(random.count)
            }
            ended.nodes[new] = node
            files[links[path] ?? path, default: []].append(new)
        }
        ended.link(files.values)
        return ended
    }

    /// Where the first component of a path begins that ends with a UUID, as Foundation makes it.
    private static func randomName(in path: String) -> String.Index? {
        path.split(separator: "/").first { component in
            component.utf8.count >= 36
                && component.suffix(36).split(separator: "-").map(\.utf8.count) == [8, 4, 4, 4, 12]
                && component.utf8.allSatisfy { $0 == 0x2D || 0x30...0x39 ~= $0 || 0x41...0x46 ~= $0 }
        }?.startIndex
    }
}

/// Seals nothing.
struct TransparentSealer: HandoffSealer {
    static let key = [UInt8](repeating: 7, count: 32)
    static let proof = Data(repeating: 3, count: 16)

    func makeKey() -> (privateKey: Data, publicKey: Data) { (Data(Self.key), Data(Self.key)) }

    func seal(_ data: Data, privateKey: Data, peer: Data, info: Data, authenticating header: Data) -> Data { data }

    func open(_ box: Data, privateKey: Data, peer: Data, info: Data, authenticating header: Data) -> Data { box }

    func proof(privateKey: Data, peer: Data, info: Data) -> Data { Self.proof }

    /// The package in a box.
    static func unsealed(_ bytes: Data) throws -> HandoffPackage {
        let bytes = [UInt8](bytes)
        guard bytes.count > 5, bytes[5] == 1 else { return try HandoffPackage(bytes: Data(bytes)) }
        return try HandoffPackage(bytes: Data(bytes[..<5] + [0] + bytes.dropFirst(6 + key.count)))
    }
}

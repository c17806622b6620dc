import DataHandoff
import Foundation
import ReferralBridge
import TestSupport

/// Trestle Lite and Trestle on one device, with folders of their own.
final class Apps: Sendable {
    static let (lite, paid) = ("com.example.trestle.lite", "com.example.trestle")

    private let place = TemporaryFolder("handoff")
    var folder: URL { place.url }
    let clock = TestClock()
    let sender: HandoffSender
    let receiver: HandoffReceiver
    let documents: URL
    let route: HandoffRoute

    init(
        sealing: HandoffSealing = .custom(ToySealer()),
        allowsOpenLinks: Bool = false,
        hasGroup: Bool = false,
        maximumSize: Int = 64 << 20,
        files: [String: Data] = ["boards.sqlite": Data("fourteen boards".utf8)],
        sending: HandoffDefaults? = nil,
        accepting: HandoffDefaults? = nil,
        change: (inout HandoffRoute, _ folder: URL) -> Void = { _, _ in }
    ) throws {
        let folder = place.url
        documents = folder.appending(path: "documents")
        let lite = folder.appending(path: "lite")
        for made in [documents, lite, folder.appending(path: "group")] {
            try FileManager.default.createDirectory(at: made, withIntermediateDirectories: true)
        }
        for (name, contents) in files { try contents.write(to: lite.appending(path: name)) }
        var route = HandoffRoute(from: Self.lite, to: Self.paid, scheme: "trestle", returnScheme: "trestle-lite")
        if hasGroup { route.group = folder.appending(path: "group") }
        change(&route, folder)
        self.route = route
        let (names, storage, clock) = (files.keys.sorted(), folder.appending(path: "storage"), clock)
        sender = try HandoffSender(
            route,
            storage: storage,
            sealing: sealing,
            allowsOpenLinks: allowsOpenLinks,
            clock: DeviceClock(now: { clock.now }),
            contents: {
                HandoffContents(
                    schema: 1,
                    files: names.map { .init($0, at: lite.appending(path: $0)) },
                    defaults: sending
                )
            }
        )
        receiver = try HandoffReceiver(
            route,
            schemas: 1...1,
            maximumSize: maximumSize,
            storage: storage,
            defaults: accepting,
            sealing: sealing,
            clock: DeviceClock(now: { clock.now })
        )
    }

    /// The answer to a request of the receiver's.
    func answer(to request: URL) async throws -> URL {
        guard case .request(let delivery) = try await sender.receive(request, from: Self.paid) else {
            throw HandoffError.notALink
        }
        guard case .open(let url) = try await delivery.send() else { throw HandoffError.notALink }
        return url
    }

    var file: String? { try? String(contentsOf: documents.appending(path: "boards.sqlite"), encoding: .utf8) }

    /// The files where the app's data is.
    var installed: [String] { (try? FileManager.default.contentsOfDirectory(atPath: documents.path())) ?? [] }
}

extension Data {
    /// Bytes that can't be compressed, always the same ones.
    static func incompressible(_ count: Int) -> Data {
        var state: UInt64 = 1
        return Data(
            (0..<count).map { _ in
                state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                return UInt8(state >> 56)
            }
        )
    }
}

/// Not a cipher: the pad is a digest of the sum of both keys, and so is the tag. It shows who needs which key, and what is
/// authenticated.
struct ToySealer: HandoffSealer {
    struct Refused: Error {}

    func makeKey() throws -> (privateKey: Data, publicKey: Data) {
        let key = Data((0..<32).map { _ in UInt8.random(in: 1...255) })
        return (key, Data(key.map { $0 ^ 0xFF }))
    }

    private func pad(_ privateKey: Data, _ peer: Data, _ info: Data, _ count: Int) -> [UInt8] {
        // Both sides know the sum of the two private keys.
        let shared = zip(privateKey, peer).map { $0 &+ ($1 ^ 0xFF) }
        let pad = SHA256.digest(shared + info)
        return (0..<count).map { pad[$0 % pad.count] }
    }

    func proof(privateKey: Data, peer: Data, info: Data) throws -> Data { Data(pad(privateKey, peer, info, 16)) }

    func seal(_ data: Data, privateKey: Data, peer: Data, info: Data, authenticating header: Data) throws -> Data {
        let sealed = zip(data, pad(privateKey, peer, info, data.count)).map { $0 ^ $1 }
        return Data(sealed + SHA256.digest(pad(privateKey, peer, info, 32) + sealed + header))
    }

    func open(_ box: Data, privateKey: Data, peer: Data, info: Data, authenticating header: Data) throws -> Data {
        let sealed = Array(box.dropLast(32))
        let tag = SHA256.digest(pad(privateKey, peer, info, 32) + sealed + header)
        guard box.count >= 32, tag.elementsEqual(box.suffix(32)) else { throw Refused() }
        return Data(zip(sealed, pad(privateKey, peer, info, sealed.count)).map { $0 ^ $1 })
    }
}

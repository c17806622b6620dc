import Foundation
import ReferralBridge
import Testing

@testable import DataHandoff

/// When a sender may believe that its data arrived, and whether it has changed since.
struct ReceiptTests {
    private func install(_ apps: Apps, _ answer: URL) async throws -> URL {
        try #require(try await apps.offer(at: answer).install(into: apps.documents).url)
    }

    /// The receipt without its proof, or with another one.
    private func changed(_ url: URL, proof: Data?) throws -> URL {
        guard case .receipt(let nonce, let digest, _) = try HandoffLink.parse(url.absoluteString) else {
            throw HandoffError.notALink
        }
        let link = HandoffLink.receipt(nonce: nonce, digest: digest, proof: proof)
        return try #require(URL(string: link.address(scheme: "trestle-lite")))
    }

    @Test("a receipt is proven by the key of the request and the app that the system names, not by one of them alone")
    func bothAreNeeded() async throws {
        let apps = try Apps()
        let url = try await install(apps, apps.answer(to: apps.receiver.request()))
        // An unproven receipt doesn't use up the proven one.
        #expect(try await !apps.confirmation(url, from: nil).isProven)
        #expect(try await !apps.confirmation(changed(url, proof: nil), from: Apps.paid).isProven)
        #expect(try await !apps.confirmation(changed(url, proof: nil), from: nil).isProven)
        await #expect(throws: HandoffError.unexpectedApp("com.example.other")) {
            try await apps.sender.receive(url, from: "com.example.other")
        }
        // What can't be saved, as on a full disk, is told again.
        let blocked = apps.storage.appending(path: "sender.new")
        try FileManager.default.createDirectory(at: blocked, withIntermediateDirectories: false)
        #expect(try await apps.confirmation(url, from: Apps.paid).isProven)
        try FileManager.default.removeItem(at: blocked)
        #expect(try await apps.confirmation(url, from: Apps.paid).isProven)
        await #expect(throws: HandoffError.unrequested) { try await apps.sender.receive(url, from: Apps.paid) }
    }

    @Test("a wrong proof is refused, as is one for an open answer, and a receipt for another package or request")
    func wrongProof() async throws {
        let apps = try Apps()
        let url = try await install(apps, apps.answer(to: apps.receiver.request()))
        let other = try await install(apps, apps.answer(to: apps.receiver.request()))
        guard case .receipt(_, _, let otherProof) = try HandoffLink.parse(other.absoluteString) else { return }
        for proof in [Data(count: 16), try #require(otherProof)] {
            let forged = try changed(url, proof: proof)
            await #expect(throws: HandoffError.unrequested) { try await apps.sender.receive(forged, from: Apps.paid) }
        }
        let digest = String(repeating: "0", count: 64)
        for (part, other) in [(/d=\w+/, "d=" + digest), (/n=[\w-]+/, "n=AAAAAAAAAAAAAAAAAAAAAA")] {
            let forged = try #require(URL(string: url.absoluteString.replacing(part, with: other, maxReplacements: 1)))
            await #expect(throws: HandoffError.unrequested) { try await apps.sender.receive(forged, from: Apps.paid) }
        }

        let open = try Apps(sealing: .unsealed, allowsOpenLinks: true)
        let receipt = try await install(open, open.answer(to: open.receiver.request()))
        #expect(!receipt.absoluteString.contains("&m="))
        let forged = try changed(receipt, proof: Data(count: 16))
        await #expect(throws: HandoffError.unrequested) { try await open.sender.receive(forged, from: Apps.paid) }
        #expect(try await !open.confirmation(receipt, from: Apps.paid).isProven)
    }

    @Test("a receipt in the shared folder is proven, also if its link says nothing")
    func sharedFolder() async throws {
        let apps = try Apps(sealing: .unsealed, hasGroup: true)
        let url = try await install(apps, apps.answer(to: apps.receiver.request()))
        #expect(try await apps.confirmation(url, from: nil).isProven)
        #expect(try await apps.sender.confirmations() == [])
        await #expect(throws: HandoffError.unrequested) { try await apps.sender.receive(url, from: Apps.paid) }
    }

    @Test("a receipt after a crash has the proof, too; a note that this app can't have written has no address")
    func afterCrash() async throws {
        let apps = try Apps()
        let url = try await install(apps, apps.answer(to: apps.receiver.request()))
        let recovered = try await apps.receiver.recover(in: apps.documents).receipts
        #expect(recovered.map(\.url) == [url])
        #expect(try await apps.confirmation(url, from: Apps.paid).isProven)

        let digest = String(repeating: "ab", count: 32)
        let transfer = "3f2504e0-4f89-41d3-9a0c-0305e82c3301"
        func isWhole(_ digest: String, _ transfer: String, _ nonce: Data?, _ proof: Data?) -> Bool {
            HandoffReceipt.Note(digest: digest, transfer: transfer, nonce: nonce, proof: proof).isWhole
        }
        #expect(isWhole(digest, transfer, nil, nil))
        #expect(isWhole(digest, transfer, Data(count: 16), Data(count: 16)))
        #expect(!isWhole("ab", transfer, nil, nil))
        #expect(!isWhole(digest, "../../x", nil, nil))
        #expect(!isWhole(digest, transfer, Data(count: 15), nil))
        #expect(!isWhole(digest, transfer, nil, Data()))
    }

    @Test("what a sender remembers is checked when it is read back")
    func damagedRecord() async throws {
        let apps = try Apps(hasGroup: true)
        let digest = String(repeating: "ab", count: 32)
        try apps.put("", at: "group/Handoff/other")
        try apps.put(digest, at: "group/victim/receipt")
        let record = #"[{"transfer":"../victim","digest":"\#(digest)","files":{}}]"#
        try apps.put(record, at: "storage/DataHandoff/sender.json")
        #expect(try await apps.sender.confirmations() == [])
        #expect(FileManager.default.fileExists(atPath: apps.folder.path + "/group/victim/receipt"))
    }

    // MARK: Changes

    @Test("files that are changed, added, removed or renamed since they were sent are a change")
    func hasChanged() async throws {
        let apps = try Apps(files: ["a": Data("1".utf8), "b": Data("2".utf8)])
        let lite = apps.folder.appending(path: "lite")
        let sender = try HandoffSender(
            apps.route,
            storage: apps.folder.appending(path: "storage"),
            sealing: .custom(ToySealer())
        ) {
            let names = try FileManager.default.contentsOfDirectory(atPath: lite.path).filter { !$0.contains("-") }
            return HandoffContents(schema: 1, files: names.map { .init($0, at: lite.appending(path: $0)) })
        }
        guard case .request(let delivery) = try await sender.receive(apps.receiver.request(), from: Apps.paid),
            case .open(let answer) = try await delivery.send(),
            case .receipt(let confirmation) = try await sender.receive(install(apps, answer), from: Apps.paid)
        else { throw HandoffError.notALink }
        #expect(try await !sender.hasChanged(since: confirmation))
        let changes = [["b": "3"], ["c": ""], ["b": nil], ["b": nil, "c": "2"]] as [[String: String?]]
        for change in changes {
            for (name, text) in change {
                if let text { try apps.put(text, at: "lite/" + name) } else { try remove("lite/" + name, apps) }
            }
            #expect(try await sender.hasChanged(since: confirmation), "\(change)")
            try apps.put("2", at: "lite/b")
            try? remove("lite/c", apps)
            #expect(try await !sender.hasChanged(since: confirmation))
        }
        try apps.put("4", at: "lite/b-wal")
        await #expect(throws: HandoffError.openDatabase("b")) { try await sender.hasChanged(since: confirmation) }
    }

    private func remove(_ path: String, _ apps: Apps) throws {
        try FileManager.default.removeItem(at: apps.folder.appending(path: path))
    }
}

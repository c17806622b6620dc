import DataHandoff
import Foundation
import ReferralBridge
import Testing

struct VectorTests {
    static let hasDeflate = HandoffPackage.Codec.best == .deflate

    @Test("packages are read and refused as the reference does", arguments: HandoffVectors.all.cases)
    func package(_ vector: HandoffVectors.Package) throws {
        let requirements = HandoffRequirements(
            receiver: vector.to,
            schemas: vector.schemas[0]...vector.schemas[1],
            maximumSize: vector.largest,
            maximumFileCount: vector.mostFiles ?? 10_000
        )
        do {
            let package = try HandoffPackage(bytes: vector.bytes, for: requirements)
            let expected = try #require(vector.result.ok)
            let manifest = package.manifest
            #expect(manifest.transfer == expected.transfer)
            #expect(manifest.created.milliseconds == expected.created)
            #expect(manifest.sender == expected.from)
            #expect(manifest.receiver == expected.to)
            #expect(manifest.schema == expected.schema)
            #expect(manifest.files == expected.files)
            #expect(package.contents.map(\.count) == expected.files.map(\.length))
        } catch let error as HandoffError {
            // Without DEFLATE nobody knows what is wrong with compressed contents.
            let isUnreadable = vector.needsInflate == true && !Self.hasDeflate && vector.result.error != "sealed"
            #expect(error.name == (isUnreadable ? "codecUnavailable" : vector.result.error))
        }
    }

    @Test("links are read and refused as the reference does", arguments: HandoffVectors.all.links)
    func link(_ vector: HandoffVectors.AddressCase<HandoffVectors.Link>) throws {
        do {
            let link = try HandoffLink.parse(vector.url.text, scheme: vector.scheme)
            let expected = try #require(vector.result.ok)
            switch expected.kind {
            case "request": #expect(link == .request(nonce: try #require(expected.nonce), publicKey: expected.key))
            case "receipt":
                let (nonce, digest) = (try #require(expected.nonce), try #require(expected.digest))
                #expect(link == .receipt(nonce: nonce, digest: digest, proof: nil))
            default:
                guard case .answer(expected.nonce, let package) = link else { throw HandoffError.notALink }
                #expect(expected.package.map { $0 == package } ?? (package.count == expected.packageLength))
                #expect(expected.packageSHA256.map { $0 == SHA256.digest(package).hexadecimal } ?? true)
            }
        } catch let error as HandoffError {
            #expect(error.name == vector.result.error)
        }
    }

    @Test("addresses of the old form are read and refused as the reference does", arguments: HandoffVectors.all.old)
    func old(_ vector: HandoffVectors.AddressCase<HandoffVectors.Old>) throws {
        do {
            let file = try OldAddress(HandoffVectors.all.oldAddress).file(in: vector.url.text)
            let expected = try #require(vector.result.ok)
            #expect(file == expected.content)
            #expect(file.count == expected.length)
        } catch let error as HandoffError {
            #expect(error.name == vector.result.error)
        }
    }

    @Test("a package is written byte for byte as the reference writes it", arguments: HandoffVectors.all.write)
    func write(_ vector: HandoffVectors.Written) throws {
        let package = try HandoffPackage(
            files: vector.files.map { ($0.name, $0.content) },
            schema: vector.schema,
            from: vector.from,
            to: vector.to,
            created: Timestamp(milliseconds: vector.created),
            transfer: try #require(UUID(uuidString: vector.transfer))
        )
        #expect(package.manifest.json == vector.manifest)
        #expect(try package.bytes() == vector.bytes)
        #expect(try HandoffPackage(bytes: vector.bytes) == package)
    }
}

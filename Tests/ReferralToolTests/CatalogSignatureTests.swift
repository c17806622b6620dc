import Foundation
import Testing

/// `referral-tool catalog --sign`. `KeyTests` checks such a signature with openssl.
struct CatalogSignatureTests {
    @Test("a catalog's signature is written beside it, and what is no catalog isn't signed")
    func catalog() throws {
        try Tool.withKey { folder, _ in
            let (file, key) = (folder + "c.json", folder + "key.pem")
            try Data(#"{"format":1,"revision":3,"items":[]}"#.utf8).write(to: URL(filePath: file))
            let good = "\(file): revision 3, 0 items, 0 rewards, 0 left out"
            #expect(try Tool.run("catalog", file, "--sign", key).output == "\(good), signed\n")
            let signature = try String(contentsOfFile: file + ".sig", encoding: .utf8)
            #expect(Data(base64Encoded: String(signature.dropLast()))?.count == 64)
            #expect(signature.last == "\n")
            try Data("[]".utf8).write(to: URL(filePath: folder + "bad"))
            #expect(try Tool.run("catalog", folder + "bad", "--sign", key).status == 65)
            #expect(!FileManager.default.fileExists(atPath: folder + "bad.sig"))
        }
    }
}

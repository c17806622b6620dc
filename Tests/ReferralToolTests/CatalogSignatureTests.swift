import Foundation
import Testing

/// `referral-tool catalog --sign` and `--verify`.
struct CatalogSignatureTests {
    @Test("a catalog's signature is written beside it, and checked with the public key, from a file or an address")
    func catalog() throws {
        try Tool.withKey { folder, publicKey in
            let (file, key) = (folder + "c.json", folder + "key.pem")
            let other = try Tool.run("key", "--out", folder + "other.pem").output.dropLast()
            try Data(#"{"format":1,"revision":3,"items":[]}"#.utf8).write(to: URL(filePath: file))
            let good = "\(file): revision 3, 0 items, 0 rewards, 0 left out"

            let none = try Tool.run("catalog", file, "--verify", publicKey)
            #expect(none.status == 66)
            #expect(none.error == "referral-tool: can't read '\(file).sig': No such file or directory\n")
            #expect(try Tool.run("catalog", file, "--sign", key).output == "\(good), signed\n")
            let signature = try String(contentsOfFile: file + ".sig", encoding: .utf8)
            #expect(Data(base64Encoded: String(signature.dropLast()))?.count == 64)
            #expect(signature.last == "\n")
            #expect(try Tool.run("catalog", file, "--verify", publicKey).output == "\(good), signature valid\n")
            let json = try Tool.run("catalog", file, "--json", "--verify", publicKey).output
            #expect(json.contains(#""findings":[],"notes":[],"signature":"right"}"#))

            let refused =
                "referral-tool: \(file): \(file).sig contains no signature by this key, so an app would reject it\n"
            let wrong = try Tool.run("catalog", file, "--verify", "\(other)")
            #expect(wrong.status == 65)
            #expect(wrong.output == "")
            #expect(wrong.error == refused)
            for text in ["", signature + "AAAA", String(repeating: " ", count: 5_000) + signature] {
                try Data(text.utf8).write(to: URL(filePath: file + ".sig"))
                #expect(try Tool.run("catalog", file, "--verify", publicKey).error == refused)
            }
            try Data(signature.utf8).write(to: URL(filePath: file + ".sig"))
            try Data(#"{"format":1,"revision":4,"items":[]}"#.utf8).write(to: URL(filePath: file))
            #expect(try Tool.run("catalog", file, "--verify", publicKey).error == refused)

            // What is no catalog isn't signed.
            try Data("[]".utf8).write(to: URL(filePath: folder + "bad"))
            #expect(try Tool.run("catalog", folder + "bad", "--sign", key).status == 65)
            #expect(!FileManager.default.fileExists(atPath: folder + "bad.sig"))
        }
    }

    @Test("the signature of an address has .sig after the path")
    func catalogAddress() throws {
        try Tool.withKey { folder, publicKey in
            try Data(#"{"format":1,"revision":3,"items":[]}"#.utf8).write(to: URL(filePath: folder + "c.json"))
            #expect(try Tool.run("catalog", folder + "c.json", "--sign", folder + "key.pem").status == 0)
            // A curl that has the catalog at one address, and its signature at another.
            let script = """
                #!/bin/bash
                case "${!#}" in
                https://example.com/*.sig*) echo "${!#}" >> '\(folder)asked'; cat '\(folder)c.json.sig' ;;
                *) cat '\(folder)c.json' ;;
                esac
                """
            try Data(script.utf8).write(to: URL(filePath: folder + "curl"))
            try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: folder + "curl")
            for address in ["https://example.com/c.json?v=2#x", "https://example.com"] {
                let outcome = try Tool.shell(
                    "PATH='\(folder)':$PATH; referral-tool catalog '\(address)' --verify '\(publicKey)'"
                )
                #expect(outcome.output == "\(address): revision 3, 0 items, 0 rewards, 0 left out, signature valid\n")
                #expect(outcome.status == 0, "\(outcome.error)")
                #expect(outcome.error == "")
            }
            let asked = try String(contentsOfFile: folder + "asked", encoding: .utf8)
            #expect(asked == "https://example.com/c.json.sig?v=2\nhttps://example.com/.sig\n")
        }
    }
}

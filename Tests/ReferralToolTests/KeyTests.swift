import Foundation
import Testing

/// `referral-tool key`: new keys, and files of other programs.
struct KeyTests {
    private func permissions(_ path: String) throws -> Int? {
        try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
    }

    @Test("a key's file is for its owner alone, whatever the mask, and its public key is printed again")
    func newKey() throws {
        try Tool.withKey { folder, publicKey in
            #expect(try permissions(folder + "key.pem") == 0o600)
            #expect(Data(base64Encoded: publicKey)?.count == 32)
            #expect(try Tool.run("key", "--public", folder + "key.pem").output == publicKey + "\n")
            let text = try String(contentsOfFile: folder + "key.pem", encoding: .utf8)
            #expect(text.utf8.count == 119)
            #expect(text.hasPrefix("-----BEGIN PRIVATE KEY-----\nMC4CAQAwBQYDK2VwBCIEI"))
            for mask in ["0", "777"] {
                let path = folder + "mask-\(mask).pem"
                #expect(try Tool.shell("umask \(mask); referral-tool key --out '\(path)'").status == 0)
                #expect(try permissions(path) == 0o600)
            }
            let other = try Tool.run("key", "--out", folder + "other.pem").output
            #expect(other != publicKey + "\n")
        }
    }

    @Test("a key is never written over a file, nor through a link")
    func existingFile() throws {
        try Tool.withKey { folder, publicKey in
            try Data("keep".utf8).write(to: URL(filePath: folder + "there"))
            try FileManager.default.createSymbolicLink(atPath: folder + "link", withDestinationPath: folder + "target")
            let other = "it already exists; name another file"
            for (name, problem) in [
                ("there", other), ("link", other), ("key.pem", other), ("none/key.pem", "No such file or directory"),
            ] {
                let outcome = try Tool.run("key", "--out", folder + name)
                #expect(outcome.status == 74)
                #expect(outcome.output == "")
                #expect(outcome.error == "referral-tool: can't create '\(folder)\(name)': \(problem)\n")
            }
            #expect(try String(contentsOfFile: folder + "there", encoding: .utf8) == "keep")
            #expect(!FileManager.default.fileExists(atPath: folder + "target"))
            #expect(try Tool.run("key", "--public", folder + "key.pem").output == publicKey + "\n")
        }
    }

    @Test("a disk without space leaves no part of a key")
    func fullDisk() throws {
        try Tool.inFolder { folder in
            let outcome = try Tool.shell("ulimit -f 0; referral-tool key --out '\(folder)key.pem'")
            #expect(outcome.status == 74)
            #expect(outcome.error.contains("can't write to"))
            #expect(!FileManager.default.fileExists(atPath: folder + "key.pem"))
        }
    }

    /// Whether `openssl` has all of Ed25519. A Mac's own one is LibreSSL.
    private static let hasOpenSSL3: Bool = {
        #if os(Linux)
        return true
        #else
        let version = (try? Tool.shell("openssl version"))?.output ?? ""
        return version.hasPrefix("OpenSSL ") && !version.hasPrefix("OpenSSL 1.")
        #endif
    }()

    @Test("keys of openssl work here, and keys from here work there", .enabled(if: hasOpenSSL3))
    func openSSL() throws {
        try Tool.withKey { folder, _ in
            let outcome = try Tool.shell(
                """
                set -e
                cd '\(folder)'
                openssl genpkey -algorithm ed25519 -out theirs.pem
                chmod 600 theirs.pem
                referral-tool key --public theirs.pem
                openssl pkey -in theirs.pem -pubout -outform DER | tail -c 32 | base64
                printf '{"format":1,"revision":1,"items":[]}' > c.json
                referral-tool catalog c.json --sign key.pem
                base64 -d c.json.sig > sig
                openssl pkey -in key.pem -pubout -out public.pem
                openssl pkeyutl -verify -rawin -in c.json -sigfile sig -pubin -inkey public.pem
                referral-tool catalog c.json --sign theirs.pem
                openssl pkeyutl -sign -rawin -in c.json -inkey theirs.pem | base64 -w 0 | cmp -n 88 - c.json.sig
                """
            )
            #expect(outcome.status == 0, "\(outcome.error)")
            #expect(outcome.error == "")
            let lines = outcome.output.split(separator: "\n")
            try #require(lines.count == 5)
            #expect(lines[0] == lines[1])
            #expect(lines[2] == "c.json: revision 1, 0 items, 0 rewards, 0 left out, signed")
            #expect(lines[3] == "Signature Verified Successfully")
            #expect(lines[4] == "c.json: revision 1, 0 items, 0 rewards, 0 left out, signed")
        }
    }

    @Test("a key that others may read is a warning")
    func openKey() throws {
        try Tool.withKey { folder, _ in
            for (mode, isWarned) in [(0o600, false), (0o400, false), (0o640, true), (0o604, true)] {
                try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: folder + "key.pem")
                let outcome = try Tool.run("key", "--public", folder + "key.pem")
                let warning = "others may read the private key in '\(folder)key.pem'; chmod 600 prevents this\n"
                #expect(outcome.error.hasSuffix(warning) == isWarned)
            }
        }
    }

    @Test(
        "what is no private key is an error that says what would be right, with nothing of the file in it",
        .enabled(if: hasOpenSSL3)
    )
    func wrongKeys() throws {
        let made = "'referral-tool key --out FILE' or 'openssl genpkey -algorithm ed25519' writes a private key"
        let otherForm = """
            it contains no private key in PKCS #8 and PEM, without a password; 'openssl pkey -in FILE -out NEWFILE' converts a key in \
            another form
            """
        try Tool.withKey { folder, _ in
            let prepared = try Tool.shell(
                """
                set -e
                cd '\(folder)'
                openssl genpkey -algorithm rsa -pkeyopt rsa_keygen_bits:1024 -out rsa.pem 2> openssl.log
                openssl pkey -in key.pem -pubout -out public.pem
                openssl pkey -in key.pem -aes256 -passout pass:x -out encrypted.pem
                openssl pkey -in key.pem -outform DER -out key.der
                head -c 60 key.pem > short.pem
                python3 -c 'open("large.pem", "wb").truncate(2 << 30)'
                touch empty.pem
                """
            )
            #expect(prepared.status == 0, "\(prepared.error)")
            for (name, status, problem) in [
                ("rsa.pem", 65, "it is a key for an algorithm other than Ed25519; \(made)"),
                ("public.pem", 65, otherForm),
                ("encrypted.pem", 65, otherForm),
                ("key.der", 65, otherForm),
                ("empty.pem", 65, otherForm),
                ("short.pem", 65, "it is damaged or cut off; \(made)"),
                ("large.pem", 65, "it is too long for a private key; name the file of a private key"),
            ] {
                let outcome = try Tool.run("link", "--app-id", "42", "--referrer", "x", "--sign", folder + name)
                let lines = outcome.error.split(separator: "\n").filter { !$0.contains("others may read") }
                #expect(lines == ["referral-tool: can't use '\(folder)\(name)': \(problem)"])
                #expect(outcome.status == status, "\(name)")
                #expect(outcome.output == "", "\(name)")
            }
            for (name, problem) in [(".", "it is a directory"), ("none", "No such file or directory")] {
                let outcome = try Tool.run("key", "--public", folder + name)
                #expect(
                    outcome.error
                        == "referral-tool: can't read '\(folder)\(name)': \(problem); name the file of a private key\n"
                )
                #expect(outcome.status == 66)
                #expect(outcome.output == "")
            }
        }
    }

    @Test("a key in an argument isn't repeated in the error")
    func keyInArgument() throws {
        try Tool.withKey { folder, _ in
            let text = try String(contentsOfFile: folder + "key.pem", encoding: .utf8)
            let line = String(text.split(separator: "\n")[1])
            let store = ["--app-id", "42", "--referrer", "x"]
            for whole in [text, line] {
                for (index, arguments) in [
                    ["link"] + store + ["--sign", whole], ["link"] + store + ["--sign=\(whole)"], ["key", whole],
                    ["key", "--out", whole], ["key", "--public", whole], ["links", whole], [whole],
                    ["catalog", "c.json", "--sign", whole], ["decode", "--signer", whole, "x"],
                ].enumerated() {
                    let outcome = try Tool.run(arguments)
                    let number = 1 + (arguments.firstIndex { $0.hasSuffix(whole) } ?? 0)
                    let problem = "is a private key, which others can see there; give its file's name"
                    #expect(outcome.error == "referral-tool: argument \(number) \(problem)\n", "\(index)")
                    #expect(outcome.status == 64)
                    #expect(outcome.output == "")
                }
            }
        }
    }

    @Test("nothing is written over the key that signs")
    func keyIsOutput() throws {
        try Tool.withKey { folder, _ in
            let key = try Data(contentsOf: URL(filePath: folder + "key.pem"))
            try FileManager.default.linkItem(atPath: folder + "key.pem", toPath: folder + "c.json.sig")
            try Data(#"{"format":1,"revision":1,"items":[]}"#.utf8).write(to: URL(filePath: folder + "c.json"))
            for (line, file) in [
                ("page --app-id 42 --name T --referrer x --sign key.pem --out key.pem", "key.pem"),
                ("links --app-id 42 --at now --sign key.pem --rejects ./key.pem <<< referrer", "./key.pem"),
                ("catalog c.json --sign key.pem", "c.json.sig"),
            ] {
                let outcome = try Tool.shell("cd '\(folder)' && referral-tool \(line)")
                #expect(outcome.error == "referral-tool: '\(file)' is the private key's file too; name another file\n")
                #expect(outcome.status == 64, "\(line)")
                #expect(try Data(contentsOf: URL(filePath: folder + "key.pem")) == key, "\(line)")
            }
        }
    }
}

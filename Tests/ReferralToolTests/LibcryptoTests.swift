#if os(Linux)
import Foundation
import Testing

/// Systems whose libcrypto is missing, or of no use.
struct LibcryptoTests {
    @Test("without libcrypto a clear error, and all other commands work")
    func noLibcrypto() throws {
        try Tool.withKey { folder, publicKey in
            try Data("<!doctype html><p>".utf8).write(to: URL(filePath: folder + "index.html"))
            // The loader finds these first, and can't load them.
            for version in [3, 4] { try Data().write(to: URL(filePath: folder + "libcrypto.so.\(version)")) }
            func run(_ line: String) throws -> Tool.Outcome {
                try Tool.shell("cd '\(folder)' && LD_LIBRARY_PATH='\(folder)' referral-tool \(line)")
            }
            let message = """
                referral-tool: signatures need OpenSSL's libcrypto, 3.0.1 or newer; install the package libssl3 (Debian, Ubuntu), \
                openssl-libs (Fedora) or libcrypto3 (Alpine): \(folder)libcrypto.so.3: file too short

                """
            for line in [
                "key --out new.pem", "key --public key.pem", "link --app-id 42 --referrer x --sign key.pem",
                "decode --app-id 42 --signer '\(publicKey)' x", "page --app-id 42 --name T --referrer x --sign key.pem",
            ] {
                let outcome = try run(line)
                #expect(outcome.error == message, "\(line)")
                #expect(outcome.status == 69, "\(line)")
                #expect(outcome.output == "", "\(line)")
            }
            #expect(!FileManager.default.fileExists(atPath: folder + "new.pem"))
            for (line, status) in [
                ("link --app-id 42 --referrer x", 0), ("links --app-id 42 --at now <<< referrer", 0),
                ("decode --app-id 42 x", 1), ("snippet", 0), ("page --app-id 42 --name T", 0), ("check index.html", 0),
                ("key --help", 0), ("help", 0),
            ] {
                let outcome = try run(line)
                #expect(outcome.status == status, "\(line): \(outcome.error)")
                #expect(!outcome.error.contains("libcrypto"), "\(line): \(outcome.error)")
            }
        }
    }

    @Test("with a libcrypto that has no Ed25519 no signature is called wrong")
    func libcryptoWithoutEd25519() throws {
        try Tool.withKey { folder, publicKey in
            let configuration = """
                openssl_conf = init
                [init]
                alg_section = algorithms
                [algorithms]
                default_properties = fips=yes

                """
            try Data(configuration.utf8).write(to: URL(filePath: folder + "openssl.cnf"))
            let message =
                "referral-tool: the system's OpenSSL has no Ed25519; it may have none in FIPS mode, "
                + "or because of its configuration (OPENSSL_CONF)\n"
            let link = try Tool.run("link", "--app-id", "42", "--referrer", "x", "--sign", folder + "key.pem").output
                .trimmingCharacters(in: .newlines)
            for line in [
                "key --out new.pem", "key --public key.pem", "link --app-id 42 --referrer x --sign key.pem",
                "decode --app-id 42 --signer '\(publicKey)' '\(link)'",
            ] {
                let outcome = try Tool.shell("cd '\(folder)' && OPENSSL_CONF=openssl.cnf referral-tool \(line)")
                #expect(outcome.error == message, "\(line)")
                #expect(outcome.status == 69, "\(line)")
                #expect(outcome.output == "", "\(line)")
            }
            #expect(!FileManager.default.fileExists(atPath: folder + "new.pem"))
        }
    }
}
#endif

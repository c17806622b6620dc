// iOS has no processes that an app may start.
#if os(macOS) || os(Linux)

import Foundation
import ReferralBridge
import Testing

extension SHA256Tests {
    @Test("the same as OpenSSL around the borders of blocks, and for random bytes of random lengths")
    func openSSL() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "sha256-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }

        var lengths = Array(0...130) + [183, 184, 191, 192, 247, 248, 255, 256, 4_095, 4_096, 4_097]
        lengths += (0..<100).map { _ in Int.random(in: 0...20_000) }
        let messages = lengths.map { length in (0..<length).map { _ in UInt8.random(in: 0...255) } }
        for (index, message) in messages.enumerated() {
            try Data(message).write(to: folder.appending(path: String(format: "%04d", index)))
        }
        let process = Process()
        process.executableURL = URL(filePath: "/bin/bash")
        process.arguments = ["-c", "cd '\(folder.path())' && openssl dgst -sha256 -r *"]
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        let lines = String(decoding: try output.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
        process.waitUntilExit()
        let digests = lines.split(separator: "\n").map { String($0.prefix(64)) }
        #expect(process.terminationStatus == 0)
        #expect(digests.count == messages.count)
        for (message, digest) in zip(messages, digests) {
            #expect(SHA256.digest(message).hexadecimal == digest, "\(message.count) bytes")
        }
    }
}

#endif

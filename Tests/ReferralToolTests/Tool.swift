import Foundation
import Testing

/// The built command, run as a person runs it.
///
/// It stands beside the tests; the environment variable `REFERRAL_TOOL` names another one, such as a static build.
struct Tool {
    struct Outcome {
        let bytes: Data
        var output: String { String(decoding: bytes, as: UTF8.self) }
        let error: String
        let status: Int32

        /// The lines on standard error, without the notes on columns without an effect on the links and on rows that may be
        /// mistakes.
        var complaints: String {
            let lines = error.components(separatedBy: "\n")
            let notes = [
                " no effect on the links", " the same link as in an earlier row: ", " are different referrers: ",
            ]
            return lines.filter { line in !notes.contains { line.contains($0) } }.joined(separator: "\n")
        }
    }

    static let path: String = {
        if let path = ProcessInfo.processInfo.environment["REFERRAL_TOOL"] { return path }
        let tests = Bundle.allBundles.first { $0.bundlePath.hasSuffix(".xctest") }?.bundleURL
            .deletingLastPathComponent()
        return (tests ?? Bundle.main.bundleURL).appending(path: "referral-tool").path(percentEncoded: false)
    }()

    /// Runs the command.
    ///
    /// - Parameters:
    ///   - arguments: What stands behind its name.
    ///   - input: What it reads from standard input.
    /// - Returns: What it printed, and its exit status.
    /// - Throws: What kept it from being run.
    static func run(_ arguments: [String], input: Data = Data()) throws -> Outcome {
        // Files rather than pipes, which would need a reader each to never stand still.
        let folder = FileManager.default.temporaryDirectory.appending(path: "tool-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let files = ["input", "output", "error"].map { folder.appending(path: $0) }
        try input.write(to: files[0])
        for file in files[1...] { try Data().write(to: file) }

        let process = Process()
        process.executableURL = URL(filePath: path)
        process.arguments = arguments
        process.standardInput = try FileHandle(forReadingFrom: files[0])
        process.standardOutput = try FileHandle(forWritingTo: files[1])
        process.standardError = try FileHandle(forWritingTo: files[2])
        try process.run()
        process.waitUntilExit()
        return Outcome(
            bytes: try Data(contentsOf: files[1]),
            error: String(decoding: try Data(contentsOf: files[2]), as: UTF8.self),
            status: process.terminationStatus
        )
    }

    static func run(_ arguments: String..., input: String) throws -> Outcome {
        try run(arguments, input: Data(input.utf8))
    }

    static func run(_ arguments: String...) throws -> Outcome { try run(arguments) }

    /// Runs the body in a folder that holds some files, and removes it.
    ///
    /// - Parameters:
    ///   - files: What stands in each file.
    ///   - body: Gets the folder's path, with a slash at its end.
    /// - Returns: What the body returns.
    /// - Throws: What the body throws.
    static func inFolder<Value>(_ files: [String: Data] = [:], _ body: (String) throws -> Value) throws -> Value {
        let folder = FileManager.default.temporaryDirectory.appending(path: "tool-\(UUID().uuidString)/")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        for (name, content) in files { try content.write(to: folder.appending(path: name)) }
        return try body(folder.path(percentEncoded: false))
    }

    /// Runs the body with a folder that holds a new key, `key.pem`, and with its public key.
    static func withKey(_ body: (_ folder: String, _ publicKey: String) throws -> Void) throws {
        try inFolder { folder in
            let outcome = try run("key", "--out", folder + "key.pem")
            #expect(outcome.status == 0, "\(outcome.error)")
            #expect(outcome.error == "")
            try body(folder, outcome.output.trimmingCharacters(in: .newlines))
        }
    }

    /// A Mac has no `timeout`. This one ends the command with a signal, and has no use for `-k`. Perl would be shorter, and opens
    /// a file in the place of a closed standard input.
    private static let timeout = """
        command -v timeout >/dev/null || timeout() {
            [ "$1" != -k ] || shift 2
            python3 -c '
        import os, signal, sys
        for ignored in signal.SIGPIPE, signal.SIGXFSZ: signal.signal(ignored, signal.SIG_DFL)
        signal.pthread_sigmask(signal.SIG_UNBLOCK, [signal.SIGALRM])
        signal.alarm(int(sys.argv[1]))
        os.execvp(sys.argv[2], sys.argv[2:])' "$@"
        }

        """

    /// Runs a line of shell in which `referral-tool` is the command; its status is that of the line.
    static func shell(_ line: String) throws -> Outcome {
        let process = Process()
        process.executableURL = URL(filePath: "/bin/bash")
        process.arguments = ["-c", timeout + line]
        let folder = URL(filePath: path).deletingLastPathComponent().path(percentEncoded: false)
        process.environment = ProcessInfo.processInfo.environment
        process.environment?["PATH"] = folder + ":" + (ProcessInfo.processInfo.environment["PATH"] ?? "")
        let (output, error) = (Pipe(), Pipe())
        process.standardOutput = output
        process.standardError = error
        try process.run()
        let printed = try output.fileHandleForReading.readToEnd() ?? Data()
        let said = try error.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        return Outcome(
            bytes: printed,
            error: String(decoding: said, as: UTF8.self),
            status: process.terminationStatus
        )
    }
}

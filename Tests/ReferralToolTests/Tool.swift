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

        /// The lines on standard error, without the note on columns without an effect on the links.
        var complaints: String {
            let lines = error.components(separatedBy: "\n")
            return lines.filter { !$0.contains(" no effect on the links: ") }.joined(separator: "\n")
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
        try inFolder(["input": input]) { folder in
            try run(arguments, reading: FileHandle(forReadingFrom: URL(filePath: folder + "input")), in: folder)
        }
    }

    /// Runs the command with an input that it can't read at once, but only one piece after the other.
    static func run(_ arguments: [String], pieces: [String]) throws -> Outcome {
        #if os(Linux)
        // Each of its messages takes a call to read.
        let kind = Int32(SOCK_SEQPACKET.rawValue | SOCK_CLOEXEC.rawValue)
        #else
        // A Mac has no such sockets. Here, the pieces may come together.
        let kind = SOCK_STREAM
        #endif
        var ends: [Int32] = [-1, -1]
        try #require(socketpair(AF_UNIX, kind, 0, &ends) == 0)
        let (input, output) = (FileHandle(fileDescriptor: ends[0]), FileHandle(fileDescriptor: ends[1]))
        defer { try? input.close() }
        for piece in pieces { try output.write(contentsOf: Data(piece.utf8)) }
        try output.close()
        return try inFolder { folder in try run(arguments, reading: input, in: folder) }
    }

    /// Runs the command. What it prints goes to files in a folder.
    private static func run(_ arguments: [String], reading input: FileHandle, in folder: String) throws -> Outcome {
        let files = ["output", "error"].map { URL(filePath: folder + $0) }
        for file in files { try Data().write(to: file) }
        let process = Process()
        process.executableURL = URL(filePath: path)
        process.arguments = arguments
        process.standardInput = input
        process.standardOutput = try FileHandle(forWritingTo: files[0])
        process.standardError = try FileHandle(forWritingTo: files[1])
        try process.run()
        process.waitUntilExit()
        return Outcome(
            bytes: try Data(contentsOf: files[0]),
            error: String(decoding: try Data(contentsOf: files[1]), as: UTF8.self),
            status: process.terminationStatus
        )
    }

    static func run(_ arguments: String..., input: String) throws -> Outcome { try run(arguments, input: input) }

    static func run(_ arguments: [String], input: String) throws -> Outcome {
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
        for (name, content) in files {
            let file = folder.appending(path: name)
            if name.contains("/") {
                try FileManager.default.createDirectory(
                    at: file.deletingLastPathComponent(),
                    withIntermediateDirectories: true
                )
            }
            try content.write(to: file)
        }
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

    /// `or_end COMMAND` ends a command that hangs. None takes nearly as long, on any machine. Perl would be shorter than Python, and
    /// opens a file in the place of a closed standard input.
    private static let orEnd = """
        or_end() {
            python3 -c '
        import os, signal, sys
        for ignored in signal.SIGPIPE, signal.SIGXFSZ: signal.signal(ignored, signal.SIG_DFL)
        signal.pthread_sigmask(signal.SIG_UNBLOCK, [signal.SIGALRM])
        signal.alarm(300)
        os.execvp(sys.argv[1], sys.argv[1:])' "$@"
        }

        """

    #if os(Linux)
    /// The peak of the resident memory of a line of shell, in kB.
    static func peak(_ line: String) throws -> Int {
        let measure =
            "import resource, subprocess, sys; subprocess.run([\"bash\", \"-c\", sys.argv[1]], stderr=subprocess.DEVNULL); "
            + "print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)"
        let outcome = try inFolder(["line": Data(line.utf8)]) { folder in
            try shell("python3 -c '\(measure)' \"$(cat \(folder)line)\"")
        }
        return try #require(Int(outcome.output.split(separator: "\n").last ?? ""), "\(outcome.error)")
    }
    #endif

    /// Runs a line of shell in which `referral-tool` is the command, and `or_end COMMAND` ends a command that hangs. Its status is
    /// that of the line.
    static func shell(_ line: String) throws -> Outcome {
        let process = Process()
        process.executableURL = URL(filePath: "/bin/bash")
        process.arguments = ["-c", orEnd + line]
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

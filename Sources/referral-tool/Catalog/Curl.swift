import ReferralFoundation

/// The system's curl. With Foundation's networking, the static command would be many times as large, and not static.
enum Curl {
    /// Fetches an address under the rules of the library: no redirect to a less safe address, and at most five.
    ///
    /// - Returns: The bytes; `nil` if there are more than the limit allows.
    static func fetch(_ address: String, atMost limit: Int) throws(ToolError) -> [UInt8]? {
        let redirects = address.lowercased().hasPrefix("https:") ? "=https" : "=https,http"
        let (curl, output) = try start(
            [
                "--disable", "--globoff", "--fail", "--silent", "--show-error", "--max-time", "20", "--max-filesize",
                "\(limit)", "--proto", "=https,http", "--location", "--max-redirs", "5", "--proto-redir", redirects,
                "--", address,
            ],
            for: address
        )
        let read = Result { () throws(ToolError) in try output.readAll(atMost: limit) }
        // If nobody reads its output, curl ends with an error.
        output.close()
        let status = status(of: curl)
        guard let bytes = try read.get() else { return nil }
        switch status {
        case 0: return bytes
        case 63: return nil
        default: throw .inputOutput("\(address): \(message(in: bytes) ?? "curl ended with status \(status)")")
        }
    }

    /// Starts curl, without a shell, which could misread an address. Its output and its errors go into one pipe.
    private static func start(
        _ arguments: [String],
        for address: String
    ) throws(ToolError) -> (process: pid_t, output: ByteStream) {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { throw .inputOutput("\(address): cannot run curl: \(ByteStream.reason)") }
        defer { close(ends[1]) }
        #if canImport(Darwin)
        var actions: posix_spawn_file_actions_t?
        let environment = _NSGetEnviron().pointee
        #else
        var actions = posix_spawn_file_actions_t()
        let environment = environ
        #endif
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        for stream in [STDOUT_FILENO, STDERR_FILENO] { posix_spawn_file_actions_adddup2(&actions, ends[1], stream) }
        for end in ends { posix_spawn_file_actions_addclose(&actions, end) }
        let words: [UnsafeMutablePointer<CChar>?] = (["curl"] + arguments).map { strdup($0) } + [nil]
        defer { for word in words { free(word) } }
        var process: pid_t = 0
        let code = posix_spawnp(&process, "curl", &actions, nil, words, environment)
        let output = ByteStream(descriptor: ends[0], name: address)
        guard code == 0 else {
            output.close()
            throw code == ENOENT
                ? ToolError(status: .unavailable, message: "\(address): install curl, or name a file")
                : .inputOutput("\(address): cannot run curl: \(String(cString: strerror(code)))")
        }
        return (process, output)
    }

    /// Waits until a process ends. As in a shell, a signal counts as 128 and its number.
    private static func status(of process: pid_t) -> Int32 {
        var status: Int32 = -1
        while waitpid(process, &status, 0) < 0, errno == EINTR {}
        return status & 0x7F == 0 ? status >> 8 & 0xFF : 128 + status & 0x7F
    }

    /// Finds curl's message, such as `curl: (22) The requested URL returned error: 404`, at the end of the downloaded
    /// bytes, whatever a server sent before.
    private static func message(in bytes: [UInt8]) -> String? {
        let lines = String(decoding: bytes.suffix(4_096), as: UTF8.self).split(whereSeparator: \.isNewline)
        let messages = lines.compactMap { line in
            line.firstRange(of: "curl: (").map { String(line[$0.lowerBound...]) }
        }
        return messages.last
    }
}

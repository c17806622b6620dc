import ReferralFoundation

/// Another program that the command runs, without a shell, which could misread an argument.
struct ChildProcess {
    let output: ByteStream
    private let process: pid_t

    /// Starts a program, whose messages nobody reads.
    ///
    /// - Parameters:
    ///   - program: Its name, in one of the folders of `PATH`.
    ///   - arguments: Its arguments.
    ///   - name: What it works on, for messages.
    ///   - input: Its standard input.
    ///   - hint: What to do if there is no such program.
    /// - Throws: The reason why the program can't be run.
    init(
        _ program: String,
        _ arguments: [String],
        for name: String,
        input: Int32,
        hint: Sentence
    ) throws(ToolError) {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else {
            throw .inputOutput("\(whole: name): can't run \(whole: program): \(reason: ByteStream.reason)")
        }
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
        posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO)
        posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO)
        posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0)
        for end in ends { posix_spawn_file_actions_addclose(&actions, end) }
        let words: [UnsafeMutablePointer<CChar>?] = ([program] + arguments).map { strdup($0) } + [nil]
        defer { for word in words { free(word) } }
        var process: pid_t = 0
        let code = posix_spawnp(&process, program, &actions, nil, words, environment)
        output = ByteStream(descriptor: ends[0], name: name)
        self.process = process
        guard code == 0 else {
            output.close()
            throw code == ENOENT
                ? ToolError(status: .unavailable, message: "\(whole: name): \(hint)")
                : .inputOutput(
                    "\(whole: name): can't run \(whole: program): \(reason: String(cString: strerror(code)))"
                )
        }
    }

    /// Waits until the program ends, and returns its status. As in a shell, a signal counts as 128 and its number.
    func wait() -> Int32 {
        var status: Int32 = -1
        while waitpid(process, &status, 0) < 0, errno == EINTR {}
        return status & 0x7F == 0 ? status >> 8 & 0xFF : 128 + status & 0x7F
    }
}

import ReferralFoundation

/// The names of staged packages. They identify the process that has staged a package.
///
/// An app and its extension may share a storage folder. A file lock could identify the process too. But iOS ends a
/// suspended app that holds a lock in an app group's container, and an offer may have to wait for the user that long.
enum StagedName {
    /// The start of this process's names. The random number distinguishes it from an earlier process with the same
    /// identifier.
    private static let own = "\(getpid())-\(UInt64.random(in: .min ... .max))-"

    /// A new unique name.
    static func make() -> String { own + UUID().uuidString }

    /// Whether the process that created the name has ended, or no process created it.
    static func isAbandoned(_ name: String) -> Bool {
        if name.hasPrefix(own) { return false }
        guard let process = pid_t(name.prefix { $0 != "-" }), process > 0, process != getpid() else { return true }
        // Without permission to send a signal, an existing process gives a different error:
        // https://github.com/apple-oss-distributions/xnu/blob/main/bsd/kern/kern_sig.c (not tested on a device)
        return kill(process, 0) != 0 && errno == ESRCH
    }
}

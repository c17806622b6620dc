#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// The names of staged packages. They tell which process has staged a package.
///
/// An app and its extension may share a storage folder. A file lock would tell the same. But iOS ends a suspended app that holds
/// one in the container of an app group, and an offer may wait for the user that long.
enum StagedName {
    /// The start of this process's names. The random number tells it from an earlier process with the same identifier.
    private static let own = "\(getpid())-\(UInt64.random(in: .min ... .max))-"

    /// A name that isn't in use.
    static func make() -> String { own + UUID().uuidString }

    /// Whether the process that has made a name has ended, or no process has made it.
    static func isAbandoned(_ name: String) -> Bool {
        if name.hasPrefix(own) { return false }
        guard let process = pid_t(name.prefix { $0 != "-" }), process > 0, process != getpid() else { return true }
        // Without the right to send a signal, the error of a process that exists is another one:
        // https://github.com/apple-oss-distributions/xnu/blob/main/bsd/kern/kern_sig.c (not tested on a device)
        return kill(process, 0) != 0 && errno == ESRCH
    }
}

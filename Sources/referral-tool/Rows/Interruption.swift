#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// Takes note of SIGINT and SIGTERM, so that the work ends behind a whole row. A second one ends it at once.
enum Interruption {
    // A signal handler can do no more than store a number and write a byte.
    nonisolated(unsafe) private static var signal: sig_atomic_t = 0
    nonisolated(unsafe) private static var wakerInput: Int32 = -1

    /// Becomes readable when there is no sense in waiting for input any longer.
    nonisolated(unsafe) private(set) static var waker: Int32 = -1

    /// What to end with, once a signal came.
    static var status: ExitStatus? {
        switch signal {
        case 0: nil
        case sig_atomic_t(SIGINT): .interrupted
        default: .terminated
        }
    }

    /// Wakes whoever waits for input, since nobody needs it any longer.
    static func wakeReaders() {
        var byte: UInt8 = 0
        write(wakerInput, &byte, 1)
    }

    /// Begins to take note.
    static func watch() {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { return }
        (waker, wakerInput) = (ends[0], ends[1])
        var action = sigaction()
        let handler: @convention(c) (Int32) -> Void = { number in
            Interruption.signal = sig_atomic_t(number)
            Interruption.wakeReaders()
        }
        #if canImport(Darwin)
        action.__sigaction_u.__sa_handler = handler
        #else
        action.__sigaction_handler.sa_handler = handler
        #endif
        action.sa_flags = Int32(bitPattern: UInt32(truncatingIfNeeded: SA_RESETHAND))
        sigaction(SIGINT, &action, nil)
        sigaction(SIGTERM, &action, nil)
    }
}

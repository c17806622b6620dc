import ReferralFoundation

/// Handles SIGINT and SIGTERM, so that the command ends after a whole row. A second signal ends it immediately.
enum Interruption {
    // A signal handler can only store a number and write a byte.
    nonisolated(unsafe) private static var received: sig_atomic_t = 0
    nonisolated(unsafe) private static var wakerInput: Int32 = -1

    /// A descriptor that becomes readable to end the wait for input.
    nonisolated(unsafe) private(set) static var waker: Int32 = -1

    /// The exit status, after a signal.
    static var status: ExitStatus? {
        switch received {
        case 0: nil
        case sig_atomic_t(SIGINT): .interrupted
        default: .terminated
        }
    }

    /// Ends waiting for input.
    static func wakeReaders() {
        var byte: UInt8 = 0
        write(wakerInput, &byte, 1)
    }

    /// Installs the handlers.
    static func watch() {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { return }
        (waker, wakerInput) = (ends[0], ends[1])
        for number in [SIGINT, SIGTERM] {
            signal(number) { number in
                signal(number, SIG_DFL)
                Interruption.received = sig_atomic_t(number)
                Interruption.wakeReaders()
            }
        }
    }
}

import Foundation
package import Testing

/// Expects that work grows with its size, and not with the square of it: eight times as much of it takes less than 24 times as
/// long, and not 64 times.
///
/// Only the thread's own time on a processor counts, which hardly depends on what else the machine does.
package func expectLinear(
    _ size: Int,
    sourceLocation: SourceLocation = #_sourceLocation,
    _ work: (Int) throws -> Void
) throws {
    func time(_ size: Int) throws -> UInt64 {
        let start = processorTime
        try work(size)
        return processorTime - start
    }
    // The first call does more than the others.
    let small = min(try time(size / 8), try time(size / 8), try time(size / 8))
    let large = try time(size)
    #expect(large < 24 * small, "\(small) and \(large) ns", sourceLocation: sourceLocation)
}

/// In nanoseconds.
private var processorTime: UInt64 {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
}

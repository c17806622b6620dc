import Dispatch
import ReferralFoundation

/// Works on parts of an input in several threads, and passes the results on in the order of the input.
///
/// A round takes a few parts. While they are worked on, one of the threads writes the results of the round before. So there are at most
/// two rounds in memory, and a slow reader of the output slows the whole command down.
final class Rounds<Part, Result>: @unchecked Sendable {
    /// A thread has a function of its own.
    private let works: [(Part) -> Result]
    private let write: (Result) throws(ToolError) -> Void
    private let lock = DispatchSemaphore(value: 1)
    private var parts: [Part] = []
    /// The results of the round before.
    private var results: [Result] = []
    /// The number of tasks of this round that a thread has begun. The first one is writing.
    private var begun = 0
    private var failure: ToolError?

    /// - Parameters:
    ///   - jobs: The number of threads.
    ///   - makeWork: Makes the function of a thread.
    ///   - write: Takes a result. Only one thread at a time calls it.
    init(jobs: Int, makeWork: () -> (Part) -> Result, write: @escaping (Result) throws(ToolError) -> Void) {
        works = (0..<jobs).map { _ in makeWork() }
        self.write = write
    }

    /// Takes all parts.
    ///
    /// - Parameter next: Reads the next part, and may wait for it or not; `nil` if there is none.
    /// - Throws: The first error of reading or writing. The results before it are written.
    func run(_ next: (_ waits: Bool) throws(ToolError) -> Part?) throws(ToolError) {
        let maximumCount = works.count == 1 ? 1 : 4 * works.count
        while true {
            do throws(ToolError) {
                while failure == nil, parts.count < maximumCount,
                    let part = try next(parts.isEmpty && results.isEmpty)
                {
                    parts.append(part)
                }
            } catch {
                failure = error
            }
            if parts.isEmpty, results.isEmpty { break }
            try work()
        }
        if let failure { throw failure }
    }

    /// Works on the parts, and writes at the same time.
    private func work() throws(ToolError) {
        var problem: ToolError?
        let made = [Result](unsafeUninitializedCapacity: parts.count) { made, count in
            problem = work(into: made)
            count = parts.count
        }
        (results, parts, begun) = (made, [], 0)
        if let problem { throw problem }
    }

    private func work(into made: UnsafeMutableBufferPointer<Result>) -> ToolError? {
        nonisolated(unsafe) var problem: ToolError?
        nonisolated(unsafe) let made = made
        DispatchQueue.concurrentPerform(iterations: works.count) { thread in
            while true {
                lock.wait()
                let task = begun
                begun += 1
                lock.signal()
                guard task <= parts.count else { return }
                if task == 0 {
                    do throws(ToolError) { for result in results { try write(result) } } catch { problem = error }
                } else {
                    made.initializeElement(at: task - 1, to: works[thread](parts[task - 1]))
                }
            }
        }
        return problem
    }
}

/// The number of cores.
enum Cores { static let count = min(64, max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN)))) }

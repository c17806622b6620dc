import Dispatch
import ReferralFoundation

/// Works on the parts of an input in several threads, and writes the results in the order of the input.
///
/// Each thread reads a part, works on it, and writes the result when the part before is written. So there are as many parts in memory
/// as threads, and a slow reader of the output slows the whole command down.
final class Pipeline<Part, Output>: @unchecked Sendable {
    private let read: (_ waits: Bool) throws(ToolError) -> Part?
    private let write: (Output) throws(ToolError) -> Void
    /// The thread that reads holds it.
    private let reading = DispatchSemaphore(value: 1)
    /// The sign that all parts that were read are written. The thread that reads has access to it.
    private var allWritten = DispatchSemaphore(value: 0)
    /// The first error. The thread whose turn it is to write has access to it.
    private var failure: ToolError?

    /// - Parameters:
    ///   - read: Reads the next part, and may wait for it or not; `nil` if there is none.
    ///   - write: Takes a result.
    init(
        read: @escaping (_ waits: Bool) throws(ToolError) -> Part?,
        write: @escaping (Output) throws(ToolError) -> Void
    ) {
        (self.read, self.write) = (read, write)
        // A semaphore may not end with a lower value than it begins with.
        allWritten.signal()
    }

    /// Works on all parts.
    ///
    /// - Parameters:
    ///   - jobs: The number of threads.
    ///   - makeWork: Makes the function of a thread.
    /// - Throws: The first error of reading or writing. The results before it are written.
    func run(jobs: Int, makeWork: () -> (Part) -> Output) throws(ToolError) {
        nonisolated(unsafe) let works = (0..<jobs).map { _ in makeWork() }
        DispatchQueue.concurrentPerform(iterations: jobs) { thread in
            while workOnNextPart(works[thread]) {}
        }
        if let failure { throw failure }
    }

    /// Returns whether there may be more parts.
    private func workOnNextPart(_ work: (Part) -> Output) -> Bool {
        reading.wait()
        let part = Result { () throws(ToolError) in try nextPart() }
        let (isMyTurn, isWritten) = (allWritten, DispatchSemaphore(value: 0))
        allWritten = isWritten
        reading.signal()

        let output = part.map { $0.map(work) }
        isMyTurn.wait()
        defer { isWritten.signal() }
        do throws(ToolError) {
            guard failure == nil, let output = try output.get() else { return false }
            try write(output)
            return true
        } catch {
            failure = error
            return false
        }
    }

    /// Waits for input only after all results are written: they don't wait for it, and an error in writing ends the run.
    private func nextPart() throws(ToolError) -> Part? {
        if let part = try read(false) { return part }
        allWritten.wait()
        defer { allWritten.signal() }
        return failure == nil ? try read(true) : nil
    }
}

/// The number of cores, which are used by default.
enum Cores { static let count: Int = min(64, max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN)))) }

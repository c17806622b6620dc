import Calls
import Foundation

/// Attacks `DataHandoff`.
///
///     attack packages     hostile packages, links, journals and other stored files, 100,000 by default
///     attack faults       every call of every step fails, in every way
///     attack pairs        two calls of a step fail, 30,000 pairs by default
///     attack power        power is lost, and what wasn't flushed with it, 10,000 times by default
///
/// `--count COUNT` is how many cases to run, and `--seed SEED` is the first one's seed. A failure ends the run with status 1 and
/// prints its seed, with which `--count 1` repeats it. `--folder FOLDER` is where the files go, by default in memory. After
/// `--patience SECONDS` without progress, 20 by default, a case hangs.
@main
@MainActor
struct Attack {
    var command = ""
    var (seed, count): (UInt64, UInt64?) = (1, nil)
    var patience: UInt64 = 20
    var folder = "/dev/shm"

    static func main() {
        var arguments = CommandLine.arguments.dropFirst()
        var attack = Attack()
        attack.command = arguments.popFirst() ?? ""
        while let option = arguments.popFirst() {
            switch option {
            case "--folder": attack.folder = arguments.popFirst() ?? ""
            case "--seed": attack.seed = number(arguments.popFirst())
            case "--patience": attack.patience = number(arguments.popFirst())
            case "--count": attack.count = number(arguments.popFirst())
            default: fail("there is no option \(option)")
            }
        }
        attack.run()
    }

    private static func number(_ text: String?) -> UInt64 {
        guard let number = text.flatMap(UInt64.init) else { fail("that isn't a number") }
        return number
    }

    private static func fail(_ message: String) -> Never {
        FileHandle.standardError.write(Data("attack: \(message)\n".utf8))
        exit(64)
    }

    private func run() {
        guard ["packages", "faults", "pairs", "power"].contains(command) else {
            Self.fail("there is no command \(command)")
        }
        let progress = supervise(seed, Int32(patience))
        var world = World(at: "\(folder)/attack-\(getpid())")
        let report = Report(progress)
        func end(_ normal: UInt64) -> UInt64 { seed + (count ?? normal) }
        switch command {
        case "packages": HostileCase.all(&world, end: end(100_000), report: report)
        case "faults": Faults.single(&world, seed: seed, report)
        case "pairs": Faults.pairs(&world, end: end(30_000), report)
        default: PowerLoss.all(&world, end: end(10_000), report: report)
        }
        world.remove()
        report.end()
    }
}

/// Counts what was done, and prints what went wrong.
@MainActor
final class Report {
    private let progress: UnsafeMutablePointer<progress>

    init(_ progress: UnsafeMutablePointer<progress>) { self.progress = progress }

    /// Where to begin.
    var seed: UInt64 {
        get { progress.pointee.seed }
        set { progress.pointee.seed = newValue }
    }

    /// What is done now, in case it never ends.
    func begin(_ what: String) { progress_note(progress, what) }

    func succeeded() { progress.pointee.done += 1 }

    /// - Parameters:
    ///   - what: What went wrong.
    ///   - how: What repeats it.
    func failed(_ what: String, _ how: String) -> Never {
        succeeded()
        progress.pointee.failures += 1
        print("\(how): \(what)")
        end()
    }

    func end() -> Never {
        let (done, failures) = (progress.pointee.done, progress.pointee.failures)
        print("\(done) cases, \(failures) failed")
        exit(failures == 0 ? 0 : 1)
    }
}

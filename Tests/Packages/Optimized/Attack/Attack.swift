import Calls
import Foundation

/// Attacks `DataHandoff`.
///
///     attack packages     hostile packages, links, journals and other stored files, 100,000 by default
///     attack faults       every call of every step fails, in every way; with `--one-way`, in one way that the seed chooses
///     attack pairs        two calls of a step fail, 30,000 pairs by default; with `--every STEP`, all pairs of a step
///     attack power        power is lost, and what wasn't flushed with it, 10,000 times by default
///
/// `--count COUNT` is how many cases to run, and `--seed SEED` is the first one's seed. A failure ends the run with status 1 and
/// prints its seed, with which `--count 1` repeats it; with `--all`, the run goes on. `--folder FOLDER` is where the files go, by
/// default in memory. After `--patience SECONDS` without progress, 20 by default, a case hangs. With `--every recover`, the two numbers
/// choose among the states in which an installation was interrupted.
@main
@MainActor
struct Attack {
    var command = ""
    var (seed, count): (UInt64, UInt64?) = (1, nil)
    var step: Scenario.Step?
    var (goesOn, inOneWay) = (false, false)
    var patience: UInt64 = 20
    var folder = "/dev/shm"

    static func main() {
        var arguments = CommandLine.arguments.dropFirst()
        var attack = Attack()
        attack.command = arguments.popFirst() ?? ""
        while let option = arguments.popFirst() {
            switch option {
            case "--all": attack.goesOn = true
            case "--one-way": attack.inOneWay = true
            case "--folder": attack.folder = arguments.popFirst() ?? ""
            case "--seed": attack.seed = number(arguments.popFirst())
            case "--every": attack.step = step(arguments.popFirst())
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

    private static func step(_ name: String?) -> Scenario.Step {
        guard let step = name.flatMap(Scenario.Step.init) else { fail("that isn't a step") }
        return step
    }

    private static func fail(_ message: String) -> Never {
        FileHandle.standardError.write(Data("attack: \(message)\n".utf8))
        exit(64)
    }

    private func run() {
        guard ["packages", "faults", "pairs", "power"].contains(command) else {
            Self.fail("there is no command \(command)")
        }
        // After a crash, the next seed has a world of its own.
        let progress = supervise(seed, Int32(patience), goesOn && command == "packages" ? 1 : 0)
        var world = World(at: "\(folder)/attack-\(getpid())")
        let report = Report(progress, goesOn: goesOn)
        func end(_ normal: UInt64) -> UInt64 { seed + (count ?? normal) }
        switch (command, step) {
        case ("packages", _): HostileCase.all(&world, end: end(100_000), report: report)
        case ("faults", _): Faults.single(&world, seed: seed, inOneWay: inOneWay, report)
        case ("pairs", let step?): Faults.every(&world, step, states: seed - 1..<end(.max / 2) - 1, report)
        case ("pairs", nil): Faults.pairs(&world, end: end(30_000), report)
        default: PowerLoss.all(&world, end: end(10_000), report: report)
        }
        world.remove()
        report.end()
    }
}

/// Counts what was done, and prints what went wrong, each thing once.
@MainActor
final class Report {
    private let progress: UnsafeMutablePointer<progress>
    private let goesOn: Bool
    private var seen: [String: Int] = [:]
    private let start = DispatchTime.now().uptimeNanoseconds

    init(_ progress: UnsafeMutablePointer<progress>, goesOn: Bool) {
        self.progress = progress
        self.goesOn = goesOn
    }

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
    func failed(_ what: String, _ how: String) {
        succeeded()
        progress.pointee.failures += 1
        // The same with other numbers is the same.
        seen[what, default: 0] += 1
        if seen[what] == 1 { print("\(how): \(what)") }
        if !goesOn { end() }
    }

    func end() -> Never {
        let seconds = Double(DispatchTime.now().uptimeNanoseconds - start) / 1e9
        let (done, failures) = (progress.pointee.done, progress.pointee.failures)
        for (what, count) in seen.sorted(by: { $0.value > $1.value }) where goesOn { print("\(count) times: \(what)") }
        print(
            "\(done) cases in \(Int(seconds)) s, \(Int(Double(done) / max(seconds, 0.001))) per second, \(failures) failed"
        )
        exit(failures == 0 ? 0 : 1)
    }
}

import Foundation

/// The server with the files of the catalogs, and the line to it, for all processes.
@MainActor
final class SimulatedWeb {
    /// What the server or the line does with a request.
    enum Manner: Hashable {
        case works
        /// The line breaks after half of what is requested.
        case breaksOff
        case status(Int)
        /// The server's file has another length than the catalog states.
        case wrongLength
        /// The server's file has other bytes.
        case wrongBytes
        /// The server accepts the request, and never answers.
        case silent
        /// There is no line.
        case offline
    }

    /// The time after which a silent server isn't waited for, in seconds.
    static let timeLimit = 30.0

    /// How long an answer takes, in seconds.
    var seconds = 0.0
    /// The version of all files. What was loaded of another one can't be continued.
    var version = 1
    /// How often it was asked.
    private(set) var calls = 0
    private var (manner, times) = (Manner.works, 0)

    /// Lets something happen to the next requests. After that it works.
    func answer(_ manner: Manner, times: Int) { (self.manner, self.times) = (manner, times) }

    /// A request.
    func ask() -> Manner {
        calls += 1
        guard times > 0 else { return .works }
        times -= 1
        return manner
    }
}

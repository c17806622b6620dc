import Foundation
import ReferralBridge

@testable import Unlocks

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
    let now: () -> Timestamp
    private var (manner, times) = (Manner.works, 0)

    /// Lets something happen to the next requests. After that it works.
    func answer(_ manner: Manner, times: Int) { (self.manner, self.times) = (manner, times) }

    /// Who guards files says this to the next requests; `nil` gives out addresses that last for a second. After that, they last for
    /// an hour.
    func guards(_ answer: DownloadError?, times: Int) { guarding = (answer, times) }

    init(now: @escaping () -> Timestamp) { self.now = now }

    private var guarding = (answer: DownloadError?.none, times: 0)

    /// A request for the addresses of files.
    ///
    /// - Returns: For how many seconds they last.
    func askForAddresses() throws(DownloadError) -> Double {
        calls += 1
        guard guarding.times > 0 else { return 3_600 }
        guarding.times -= 1
        if let error = guarding.answer { throw error }
        return 1
    }

    /// A request.
    func ask() -> Manner {
        calls += 1
        guard times > 0 else { return .works }
        times -= 1
        return manner
    }
}

import Foundation
import ReferralBridge
import SimulatedRuntime
import Testing

@testable import Unlocks

/// What is asked for while it is done is done once more, after a pause.
@MainActor
struct RepetitionTests {
    @Test("any number of requests meanwhile is one more time, a pause later", arguments: [0.0, 1])
    func repetition(seconds: Double) {
        var moments: [Double] = []
        JobQueue.run {
            let clock = SimulatedClock()
            let start = clock.now.milliseconds
            let repetition = Repetition(
                clock: clock.clock(of: ObjectIdentifier(clock)),
                seconds: seconds
            )
            @MainActor func run() {
                repetition.run {
                    moments.append((clock.now.milliseconds - start) / 1_000)
                    if moments.count == 1 { for _ in 1...3 { run() } }
                }
            }
            run()
            JobQueue.drain()
            clock.wait(10)
            run()
            JobQueue.drain()
        }
        #expect(moments == [0, seconds, 10])
    }
}

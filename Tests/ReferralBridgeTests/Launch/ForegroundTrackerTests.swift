import Testing

@testable import ReferralBasics
@testable import ReferralBridge

/// Which activations count, and which the system's question has made.
struct ForegroundTrackerTests {
    @Test("the end of a question isn't an activation, and the return of a person who left during it is one")
    func question() {
        var foreground = ForegroundTracker(.active)
        foreground.isReading = true
        for state: AppActivityState in [.inactive, .active] { foreground.change(to: state) }
        #expect(foreground.activations == 0)
        // On its way to the front, an app is inactive too.
        for state: AppActivityState in [.inactive, .background, .inactive, .active] { foreground.change(to: state) }
        #expect(foreground.activations == 1)
        #expect(foreground.departures == 1)
    }
}

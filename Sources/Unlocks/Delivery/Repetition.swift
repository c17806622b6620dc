/// Repeats an operation as long as it is requested again meanwhile, with a pause in between.
@MainActor
final class Repetition {
    private let (clock, seconds): (DeviceClock, Double)
    private var (isNeeded, isRunning) = (false, false)
    private var pause: Pause?

    init(clock: DeviceClock, seconds: Double = 0) {
        self.clock = clock
        self.seconds = seconds
    }

    /// Runs the operation soon; if it is running, once more after that.
    func run(_ operation: @escaping @MainActor () async -> Void) {
        isNeeded = true
        guard !isRunning else { return }
        isRunning = true
        Task {
            while isNeeded {
                let rest = pause?.rest(at: clock.now().date) ?? 0
                if rest > 0 { await clock.sleep(rest) }
                isNeeded = false
                pause = Pause(seconds: seconds, at: clock.now().date)
                await operation()
            }
            isRunning = false
        }
    }
}

import SimulatedRuntime
package import Testing

/// Returns once something is so. Whatever makes it so in a job of the main actor, or calls ``MainActorWatch/changed()``, tells the
/// test: nobody looks again and again.
@MainActor
package func until(
    _ comment: Comment? = nil,
    sourceLocation: SourceLocation = #_sourceLocation,
    _ condition: () -> Bool
) async {
    if await !MainActorWatch.wait(until: condition) {
        Issue.record(comment ?? "It never comes.", sourceLocation: sourceLocation)
    }
}

/// Returns once no job waits and none runs: nothing comes any more of what happened before.
@MainActor
package func rest(sourceLocation: SourceLocation = #_sourceLocation) async {
    await until("The jobs never end.", sourceLocation: sourceLocation) { MainActorWatch.isIdle }
}

extension Trait where Self == TimeLimitTrait {
    /// Ends a test that hangs, such as one of work that takes hours if it isn't linear.
    package static var endsIfHung: Self { .timeLimit(.minutes(5)) }
}

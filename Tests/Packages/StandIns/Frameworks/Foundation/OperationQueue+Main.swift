extension OperationQueue {
    /// Runs something as an operation of the main queue, and returns once it has run.
    ///
    /// On Apple's platforms all that runs on the main thread counts as such. On Linux nothing else does, and a notification
    /// that is posted on the main thread waits for ever for an observer that asked for the main queue.
    @MainActor
    package static func runOnMain(_ operation: @escaping @MainActor () -> Void) async {
        await withCheckedContinuation { continuation in
            main.addOperation {
                MainActor.assumeIsolated(operation)
                continuation.resume()
            }
        }
    }
}

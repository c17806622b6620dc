#if canImport(FoundationNetworking)
import Dispatch
import Foundation

/// A queue for a session's delegate that has room for 64 calls. The session waits until there is room.
///
/// On Linux, a session reads as fast as the server sends, and puts each piece of 16 KiB into its delegate's queue. On a slow
/// disk, that would fill the memory.
final class BoundedQueue: OperationQueue, @unchecked Sendable {
    private let room = DispatchSemaphore(value: 64)

    /// A serial queue always gets a thread. The threads that operations share may all be waiting for the session.
    private let calls = DispatchQueue(label: "BoundedQueue")

    override init() {
        super.init()
        underlyingQueue = calls
    }

    override func addOperation(_ block: @escaping @Sendable () -> Void) {
        room.wait()
        super.addOperation { [room] in
            block()
            room.signal()
        }
    }
}
#endif

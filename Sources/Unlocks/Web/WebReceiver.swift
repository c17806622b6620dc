import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Receives the answer to a request of a ``WebSession``, on the queue of the session. If it throws an error, the request ends.
protocol WebReceiver: AnyObject {
    func begin(_ response: HTTPURLResponse) throws
    func add(_ data: Data) throws
    func end() throws
}

/// Why a request of a ``WebSession`` has failed before its receiver could judge the answer.
enum WebFailure: Error {
    case cancelled
    case unsafeRedirect
    case tooManyRedirects
    case noAnswer
    /// An error of the system's session.
    case session(any Error)
}

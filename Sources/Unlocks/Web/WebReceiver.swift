import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Receives the answer to a request of a ``WebSession``, on the queue of the session. If it throws an error, the request ends.
protocol WebReceiver: AnyObject {
    func begin(_ response: HTTPURLResponse) throws(DownloadError)
    func add(_ data: Data) throws(DownloadError)
    func end() throws(DownloadError)
}

import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

extension URLSessionConfiguration {
    /// A configuration without cookies, a cache and credentials.
    static var withoutTraces: URLSessionConfiguration {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.removeTraces()
        return configuration
    }

    /// Removes the places for cookies, answers and credentials.
    func removeTraces() {
        httpCookieStorage = nil
        httpCookieAcceptPolicy = .never
        httpShouldSetCookies = false
        urlCache = nil
        urlCredentialStorage = nil
        requestCachePolicy = .reloadIgnoringLocalCacheData
    }
}

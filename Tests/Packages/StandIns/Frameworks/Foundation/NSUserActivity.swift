public import Foundation

/// Foundation's on Apple's platforms; Linux has none.
public class NSUserActivity: NSObject {
    public let activityType: String
    public var webpageURL: URL?

    public init(activityType: String) { self.activityType = activityType }
}

public let NSUserActivityTypeBrowsingWeb = "NSUserActivityTypeBrowsingWeb"

extension FileManager {
    /// The folders of the app groups that the process is in.
    package nonisolated(unsafe) static var groups: [String: URL] = [:]

    public func containerURL(forSecurityApplicationGroupIdentifier identifier: String) -> URL? {
        Self.groups[identifier]
    }
}

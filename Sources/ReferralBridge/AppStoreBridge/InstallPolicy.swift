#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// At which launches a bridge looks at the pasteboard.
public enum InstallPolicy: Sendable {
    /// At every launch: a person who has the app already may be referred as well.
    case everyLaunch

    /// Until the first check that comes to an end: one that finds nothing to read, or reads something. A read that
    /// fails, gives nothing or takes too long does not use the first launch up.
    case firstLaunch

    /// At every launch, but only for people who first got the app after the tap: no reinstall and no update counts.
    ///
    /// Takes what tells the moment of a person's first download. Where that fails the tap is not used up. On Apple's
    /// platforms `freshInstallOnly` asks the App Store.
    case firstDownload(@Sendable () async throws -> Date)
}

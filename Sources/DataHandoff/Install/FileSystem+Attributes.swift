import ReferralFoundation

extension FileSystem {
    /// Copies a file's permissions, its data protection if the volume supports it, and its exclusion from backups to
    /// another file, and flushes them.
    static func copyAttributes(from old: URL, to new: URL) throws(HandoffError) {
        guard let status = try status(old) else { return }
        // With the new permissions, the process may not be able to open the file.
        let file = try OpenFile<HandoffError>(reading: new, followsLink: false)
        #if canImport(Darwin)
        do {
            let keys: Set<URLResourceKey> = [.isExcludedFromBackupKey]
            var (target, values) = (new, URLResourceValues())
            values.isExcludedFromBackup = try old.resourceValues(forKeys: keys).isExcludedFromBackup
            try target.setResourceValues(values)
            #if !os(macOS)
            // A Mac encrypts whole volumes, and can't always set a file's protection. An iPad app on a Mac counts as a Catalyst app.
            if !ProcessInfo.processInfo.isMacCatalystApp,
                let protection = try FileManager.default.attributesOfItem(atPath: old.path)[.protectionKey]
            {
                try FileManager.default.setAttributes([.protectionKey: protection], ofItemAtPath: new.path)
            }
            #endif
        } catch {
            throw .fileFailed(path: new.lastPathComponent, reason: "\(error)")
        }
        #endif
        // The last, since a file that can't be written gets no attributes either.
        try check(chmod(new.path, mode_t(status.st_mode) & 0o7777) == 0, new)
        try file.flush()
    }
}

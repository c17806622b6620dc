import ReferralFoundation

extension URL {
    /// Excludes a folder from the device's backups.
    func excludeFromBackup() {
        #if canImport(Darwin)
        var (url, values) = (self, URLResourceValues())
        values.isExcludedFromBackup = true
        try? url.setResourceValues(values)
        #endif
    }
}

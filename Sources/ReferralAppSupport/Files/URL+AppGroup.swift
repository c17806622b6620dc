package import ReferralFoundation

extension URL {
    /// Whether a folder is in an app group's container: `Shared/AppGroup` on iOS, `Group Containers` on macOS.
    package var isInAppGroup: Bool {
        let components = resolvingSymlinksInPath().pathComponents
        return components.contains("Group Containers")
            || zip(components, components.dropFirst()).contains { $0 == "Shared" && $1 == "AppGroup" }
    }
}

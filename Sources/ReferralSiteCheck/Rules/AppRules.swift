extension Rule {
    /// Problems with the app's files, and with what pages hand to the app.
    @RuleList static var app: [Rule] {
        forSite("domain", "an associated domain without a known service, or with more than a host and a mode") { site in
            site.app.domains.compactMap { domain in
                domain.problem.map { SiteProblem(domain.place, "\(quoted: domain.text) \($0)") }
            }
        }
        forSite("system-scheme", "a scheme that is the system's, or isn't one; a note if an entitlement allows it") {
            site in
            site.app.schemes.compactMap { name, place in
                if let entitlement = AppScheme.entitlements[name.asciiLowercased] {
                    // A default browser or mail app has to register the system's schemes.
                    if site.app.entitlements?.list[entitlement]?.bool == true { return nil }
                    let message: Sentence =
                        "\(quoted: name) is the system's, except for an app with the entitlement \(name: entitlement)"
                    return SiteProblem(place, message, isNote: true)
                }
                return AppScheme.problem(of: name).map { SiteProblem(place, $0) }
            }
        }
        forSite("scenes", "an Info.plist with a storyboard and no scene delegate; a note if it has no scenes") { site in
            guard let info = site.app.info else { return [] }
            let (manifestKey, storyboardKey) = ("UIApplicationSceneManifest", "UIMainStoryboardFile")
            let hasStoryboard = info.list[storyboardKey] != nil
            guard let manifest = info.list[manifestKey] else {
                // The app's delegate may configure its scenes in code.
                let message: Sentence =
                    "an app without scenes doesn't start if it is built with Xcode 27; "
                    + "name a scene delegate in UIApplicationSceneManifest, or in code"
                let place = info.place(of: storyboardKey)
                return hasStoryboard ? [SiteProblem(place, message, isNote: true)] : []
            }
            // SwiftUI configures its scenes itself, also with an empty list. Those of UIKit have a storyboard.
            let role = "UIWindowSceneSessionRoleApplication"
            let scenes = manifest["UISceneConfigurations"]?[role]?.array ?? []
            let isUnnamed = scenes.contains { scene in
                (scene["UISceneDelegateClassName"]?.string ?? "").isEmpty
                    && (hasStoryboard || scene["UISceneStoryboardFile"] != nil)
            }
            guard isUnnamed || scenes.isEmpty && hasStoryboard else { return [] }
            let message: Sentence =
                "no scene delegate is named, so no link arrives, and the app doesn't start if it is built with Xcode 27; "
                + "name it with UISceneDelegateClassName"
            return [SiteProblem(info.place(of: isUnnamed ? role : manifestKey), message)]
        }
    }
}

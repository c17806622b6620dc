import ReferralFoundation
import ReferralSiteCheck

/// The files that associate a site with an app.
struct SiteAssociation {
    typealias File = (path: String, text: String)

    let appID: AppID
    let team: String
    let bundle: String
    let domain: String
    let paths: [String]
    let clip: String?
    let schemes: [String]

    var files: [File] {
        let domains = "com.apple.developer.associated-domains"
        let clips = clip == nil ? [] : ["appclips:\(domain)"]
        var files = [
            (".well-known/apple-app-site-association", association),
            ("App.entitlements", Self.list([domains: ["applinks:\(domain)"] + clips])),
        ]
        if clip != nil {
            let parents = ["com.apple.developer.parent-application-identifiers": ["$(AppIdentifierPrefix)\(bundle)"]]
            files.append(("Clip.entitlements", Self.list(parents.merging([domains: clips]) { $1 })))
        }
        if !schemes.isEmpty {
            files.append(("Info.plist", Self.list(["CFBundleURLTypes": [["CFBundleURLSchemes": schemes]]])))
        }
        return files + [("banner.html", banner), ("steps.txt", steps)]
    }

    // MARK: - The site

    private var association: String {
        // * alone would also match an address without a referrer.
        let components = paths.map { #"          {"/": \#(JSONText.string($0)), "?": {"via": "?*"}}"# }
        let clips = clip.map { #",\#n  "appclips": {"apps": ["\#(team).\#($0)"]}"# } ?? ""
        return """
            {
              "applinks": {
                "details": [
                  {
                    "appIDs": ["\(team).\(bundle)"],
                    "components": [
            \(components.joined(separator: ",\n"))
                    ]
                  }
                ]
              }\(clips)
            }

            """
    }

    /// The first page's address, with a referrer for taps on the banner.
    private var address: String {
        let path = paths.first { !$0.hasSuffix("*") } ?? paths.first.map { String($0.dropLast()) } ?? "/"
        return "https://\(domain)\(path)?via=banner"
    }

    private var banner: String {
        let content = SmartAppBanner.content(appID: appID.description, clip: clip, argument: address)
        return "<meta name=\"apple-itunes-app\" content=\"\(LinkElement.escaped(content))\">\n"
    }

    // MARK: - The app

    private static func list(_ members: some Encodable) -> String {
        let encoder = PropertyListEncoder()
        encoder.outputFormat = .xml
        // Every text can be encoded.
        return (try? encoder.encode(members)).map { String(decoding: $0, as: UTF8.self) } ?? ""
    }

    // MARK: - Steps

    var steps: String {
        let bannerStep =
            clip == nil
            ? "If you want Safari's banner for the app, write the tag of banner.html into the head of the landing page."
            : """
            Write the tag of banner.html into the head of the landing page, so that Safari offers the App Clip. On devices
            without App Clips, Safari shows its banner:
            """
        let steps: [String?] = [
            """
            Put .well-known/apple-app-site-association on the site, as it is: no extension, no redirect, https with a valid
            certificate, the content type application/json, at most 128 KiB. See that it arrives:
                curl -i https://\(domain)/.well-known/apple-app-site-association
            """,
            """
            In Xcode, add the capability Associated Domains to the app's target, or copy the entries of App.entitlements. For
            tests, write applinks:\(domain)?mode=developer: a device in developer mode then asks the site itself.
            """,
            clip == nil
                ? nil
                : """
                Add the App Clip's target with the entries of Clip.entitlements. In App Store Connect, add the address of the
                landing page as an experience of the App Clip. Give both targets the same App Group, in which the clip leaves the
                address for the app.
                """,
            schemes.isEmpty
                ? nil
                : "Copy the entries of Info.plist into the app's own, or add them in Xcode under Info, URL Types.",
            """
            List the landing page in the app, so that its address counts:
            \(paths.map { "    LandingPage(\(JSONText.string("https://\(domain)\($0)")))" }.joined(separator: "\n"))
            """,
            """
            \(bannerStep)
            Note that \(SmartAppBanner.effect.text).
            Once the app is installed, the banner opens it with the referrer banner.
            """,
            """
            Devices don't ask the site but Apple's network, which can be hours behind. See what it has:
                curl https://app-site-association.cdn-apple.com/a/v1/\(domain)
            A device fetches it when the app is installed or updated, so delete the app and install it again after a change.
            """,
            """
            See it work: on a Mac, swcutil shows what the system has, and which component matches:
                sudo swcutil dl -d \(domain)
                sudo swcutil verify -d \(domain) -j .well-known/apple-app-site-association -u '\(address)'
            On a device, tap the address in Notes or Messages. An address that is typed into Safari doesn't open the app.
                \(address)
            """,
            """
            Check the files in use:
                referral-tool check FOLDER --app-id \(appID) --entitlements App.entitlements --info-plist Info.plist
            """,
        ]
        return steps.compactMap(\.self).enumerated()
            .map { "\($0 + 1). \($1.replacing("\n", with: "\n   "))\n" }.joined(separator: "\n")
    }
}

import ReferralFoundation
import ReferralSiteCheck
import WebFiles

/// The files that associate a site with an app.
struct SiteAssociation {
    typealias File = (path: String, text: String)

    let appID: AppID
    let team: String
    let bundle: String
    let domain: String
    let paths: [String]
    /// The query item that names the referrer, if it was given. Otherwise, it is `via`, or a `*` at the end of a path.
    let item: String?
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
        let query = #", "?": {\#(JSONText.string(item ?? "via")): "?*"}"#
        let components = paths.map { path in
            #"          {"/": \#(JSONText.string(path))\#(isPattern(path) ? "" : query)}"#
        }
        let clips = clip.map { #",\#n  "appclips": {"apps": ["\#(team).\#($0)"]}"# } ?? ""
        let values = ["app": "\(team).\(bundle)", "components": components.joined(separator: ",\n"), "clips": clips]
        return PageTemplate.fill(String(cString: WebFiles.site_association_txt), values)
    }

    /// Whether the referrer is in the path, in place of its `*`.
    private func isPattern(_ path: String) -> Bool { item == nil && path.utf8.last == ASCII.asterisk }

    /// The first page's address, with a referrer for taps on the banner.
    private var address: String {
        let path = paths.first { $0.utf8.last != ASCII.asterisk } ?? paths[0]
        let page = "https://\(domain)\(path.utf8.last == ASCII.asterisk ? String(path.dropLast()) : path)"
        return isPattern(path) ? page + "banner" : "\(page)?\(PercentEncoding.encode(item ?? "via"))=banner"
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

    /// The numbered steps of `web/site-steps.txt`, which are separated by empty lines.
    var steps: String {
        let pages = paths.map { path in
            let other = item.map { ", referrerItem: \(JSONText.string($0))" } ?? ""
            let place = isPattern(path) ? ", referrerIn: .path" : other
            return "    LandingPage(\(JSONText.string("https://\(domain)\(path)"))\(place))"
        }
        let values: [String: String?] = [
            "domain": domain, "address": address, "app": appID.description, "clip": clip,
            "plain": clip == nil ? "" : nil, "schemes": schemes.isEmpty ? nil : "",
            "pages": pages.joined(separator: "\n"), "effect": SmartAppBanner.effect.text,
        ]
        let text = PageTemplate.fill(String(cString: WebFiles.site_steps_txt), values)
        return text.dropLast().split(separator: "\n\n").enumerated()
            .map { "\($0 + 1). \($1.replacing("\n", with: "\n   "))\n" }.joined(separator: "\n")
    }
}

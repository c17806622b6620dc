import Foundation
import ReferralBridge
import ReferralSiteCheck

/// The result of checking files in a temporary folder.
struct CheckedFolder {
    private(set) var findings: [SiteChecker.Finding] = []
    private(set) var notes: [SiteChecker.Finding] = []
    /// The broken rules with their files and places, and the notes in the same form.
    private(set) var (filed, filedNotes): ([String], [String]) = ([], [])
    private(set) var failures: [SiteFailure] = []
    private(set) var counts: [SiteChecker.Count: Int] = [:]
    private(set) var summary = ""

    /// Checks a folder with some files, by its path from `/` or from the working directory. `referral-bridge.js` is added
    /// if it is missing.
    init(
        _ files: [String: Data],
        appID: AppID? = nil,
        links: [String: String] = [:],
        isRelative: Bool = false,
        isFile: Bool = false,
        folder named: String = ""
    ) throws {
        var files = files
        if files["referral-bridge.js"] == nil { files["referral-bridge.js"] = Data(try Self.snippet().utf8) }
        let folder = FileManager.default.temporaryDirectory.appending(path: "site-\(UUID().uuidString)/")
        defer { try? FileManager.default.removeItem(at: folder) }
        for (name, content) in files {
            let file = folder.appending(path: name)
            let parent = file.deletingLastPathComponent()
            try FileManager.default.createDirectory(at: parent, withIntermediateDirectories: true)
            try content.write(to: file)
        }
        for (name, target) in links {
            try FileManager.default.createSymbolicLink(atPath: folder.path() + name, withDestinationPath: target)
        }

        let depth = FileManager.default.currentDirectoryPath.split(separator: "/").count
        let prefix = isRelative ? String(repeating: "../", count: depth) : "/"
        // A folder that is named twice is looked at once.
        let name = isFile ? "page.html" : named
        let site = SiteFiles([prefix + folder.path().dropFirst() + name, folder.path() + name])
        failures = site.failures
        let checker = SiteChecker(site, appID: appID, version: "1.0.0")
        for file in site.files {
            do { try checker.check(file) } catch { failures.append(error) }
        }
        let lists = ["Info.plist", "App.entitlements"].map { files[$0] == nil ? nil : folder.path() + $0 }
        do {
            let app = try AppFiles(info: lists[0], entitlements: lists[1])
            failures += checker.checkSite(app).failures
        } catch { failures.append(error) }
        let start = folder.path()
        func places(_ findings: [SiteChecker.Finding]) -> [String] {
            findings.map { finding in
                let file = finding.place.file.replacing(start, with: "")
                return "\(finding.rule) \(file) \(finding.place.line):\(finding.place.column)"
            }
        }
        filed = places(checker.findings)
        filedNotes = places(checker.notes)
        findings = checker.findings
        notes = checker.notes
        counts = checker.counts
        summary = checker.summary
    }

    init(_ files: [String: String], appID: AppID? = nil) throws {
        try self.init(files.mapValues { Data($0.utf8) }, appID: appID)
    }

    /// The broken rules with their places, such as `no-link 3:14`.
    var broken: [String] { findings.map(Self.place) }

    /// The notes, in the same form.
    var noted: [String] { notes.map(Self.place) }

    private static func place(_ finding: SiteChecker.Finding) -> String {
        "\(finding.rule) \(finding.place.line):\(finding.place.column)"
    }

    /// The broken rules of one page beside the snippet's file.
    static func broken(in page: String, appID: AppID? = nil, name: String = "page.html") throws -> [String] {
        try CheckedFolder([name: page], appID: appID).broken
    }

    static func snippet(_ name: String = "referral-bridge.js") throws -> String {
        let web = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../web")
        return try String(contentsOf: web.appending(path: name), encoding: .utf8)
    }
}

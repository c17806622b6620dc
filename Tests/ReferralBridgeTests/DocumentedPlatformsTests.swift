import Foundation
import Testing

/// What the documentation says of platforms, against Package.swift.
struct DocumentedPlatformsTests {
    private func text(_ path: String) throws -> String {
        let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../..")
        return try String(contentsOf: root.appending(path: path), encoding: .utf8)
    }

    /// The oldest version of each platform in the manifest, such as `iOS 15`.
    private func declaredPlatforms() throws -> Set<String> {
        let line = try #require(try text("Package.swift").split(separator: "\n").first { $0.contains("platforms: [") })
        let platforms = line.matches(of: /\.(\w+)\(\.v(\d+)\)/).map { match in
            let name = String(match.1)
            return "\(name == "macCatalyst" ? "Mac Catalyst" : name) \(match.2)"
        }
        return Set(platforms)
    }

    @Test("Getting started names the oldest version of each platform in Package.swift, and no other")
    func gettingStarted() throws {
        let article = try text("Sources/ReferralBridge/Documentation.docc/GettingStarted.md")
        let sentence = try #require(article.firstMatch(of: /It works on ([^.]+) and later\./)).1
        let versions = sentence.matches(of: /(?:iOS|macOS|Mac Catalyst|visionOS) \d+/).map { String($0.0) }
        let declared = try declaredPlatforms()
        #expect(declared.count == 4)
        #expect(versions.count == declared.count)
        #expect(Set(versions) == declared)
    }
}

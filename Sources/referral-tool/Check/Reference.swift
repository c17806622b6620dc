import ReferralBridge

/// What an address in a page leads to.
enum Reference: Hashable {
    /// A file of the site.
    case file(SitePaths.Path)
    /// Somewhere with a scheme of its own.
    case remote(String)
    /// From the site's root, which nobody named.
    case unknown(SitePaths.Path)
    /// A name that a bundler or an import map resolves.
    case bare(String)

    static func hasScheme(_ address: String) -> Bool {
        guard let colon = address.utf8.firstIndex(of: UInt8(ascii: ":")), let first = address.utf8.first else {
            return false
        }
        return first.isLetter
            && address.utf8[..<colon].allSatisfy { $0.isLetter || "0123456789+-.".utf8.contains($0) }
    }
}

/// Resolves the addresses of a page or a script. What all of them begin with is taken apart once.
struct ReferenceResolver {
    /// Servers refuse longer addresses, and nothing else is known of what lies behind one.
    private static let longestRemoteBase = 2048

    private let paths: SitePaths
    private let siteRoot: SitePaths.Path?

    /// The base, where it leads somewhere with a scheme of its own.
    private var remoteBase: String?

    /// Where a relative address begins, and the folder that it doesn't lead out of.
    private var folder: SitePaths.Path
    private var root: SitePaths.Path?

    /// A resolver for one file.
    ///
    /// - Parameters:
    ///   - base: The address that the file gives as its base.
    ///   - folder: The folder that it stands in.
    ///   - siteRoot: The site's root.
    ///   - paths: The site's paths.
    init(base: String? = nil, in folder: SitePaths.Path, siteRoot: SitePaths.Path?, _ paths: SitePaths) {
        (self.paths, self.siteRoot, self.folder) = (paths, siteRoot, folder)
        guard let base else { return }
        guard !base.hasPrefix("//"), !Reference.hasScheme(base) else {
            remoteBase = String(decoding: base.utf8.prefix(Self.longestRemoteBase), as: UTF8.self)
            return
        }
        let path = Self.path(in: base)
        let beginning = path.utf8.lastIndex(of: .slash).map { path[...$0] } ?? ""
        let decoded = Self.decoded(beginning)
        if decoded.hasPrefix("/") {
            let top = siteRoot ?? SitePaths.unknownRoot
            (self.folder, root) = (paths.path(decoded, in: top, root: top), top)
        } else {
            self.folder = paths.path(decoded, in: folder)
        }
    }

    /// What an address leads to.
    ///
    /// - Parameter address: The address as it stands in the file.
    /// - Returns: The file or the place, known or not.
    func reference(to address: String) -> Reference {
        let address = address.trimmed
        if address.hasPrefix("//") || Reference.hasScheme(address) {
            return .remote(address.hasPrefix("//") ? "https:" + address : address)
        }
        if let remoteBase { return .remote(remoteBase) }
        let path = Self.decoded(Self.path(in: address))
        if path.hasPrefix("/") {
            // Nothing lies above the root.
            let top = siteRoot ?? SitePaths.unknownRoot
            return reference(to: paths.path(path, in: top, root: top), below: top)
        }
        return reference(to: paths.path(path, in: folder, root: root), below: root)
    }

    private func reference(to path: SitePaths.Path, below root: SitePaths.Path?) -> Reference {
        root == SitePaths.unknownRoot ? .unknown(path) : .file(path)
    }

    /// An address without its query and its fragment.
    private static func path(in address: String) -> Substring {
        let end = address.utf8.firstIndex { $0 == .questionMark || $0 == UInt8(ascii: "#") }
        return address[..<(end ?? address.endIndex)]
    }

    private static func decoded(_ path: Substring) -> String {
        Array(path.utf8).withUnsafeBufferPointer { PercentEncoding.decode($0[...]) }
    }
}

import ReferralBridge

/// What an address in a page leads to.
enum Reference: Hashable {
    /// A file of the site.
    case file(String)
    /// Somewhere with a scheme of its own.
    case remote(String)
    /// From the site's root, which nobody named.
    case unknown(String)

    /// An address resolved.
    ///
    /// - Parameters:
    ///   - address: The address as it stands in the page.
    ///   - base: The address that the page gives as its base.
    ///   - file: The file that it stands in.
    ///   - root: The site's root.
    init(_ address: String, base: String?, in file: String, root: String?) {
        var address = address.trimmed
        if let base, !address.hasPrefix("//"), !Self.hasScheme(address) {
            if base.hasPrefix("//") || Self.hasScheme(base) {
                self = .remote(base)
                return
            }
            if !address.hasPrefix("/") { address = Self.folder(of: base) + address }
        }
        if address.hasPrefix("//") || Self.hasScheme(address) {
            self = .remote(address.hasPrefix("//") ? "https:" + address : address)
            return
        }
        let path = address.prefix { $0 != "?" && $0 != "#" }
        let decoded = Array(path.utf8).withUnsafeBufferPointer { PercentEncoding.decode($0[...]) }
        if !decoded.hasPrefix("/") {
            self = .file(Self.normalized(Self.folder(of: file) + decoded))
        } else if let root {
            // Nothing lies above the root.
            self = .file(Self.normalized(root + Self.normalized(decoded)))
        } else {
            self = .unknown(decoded)
        }
    }

    /// A path without the components that lead nowhere.
    private static func normalized(_ path: String) -> String {
        let isAbsolute = path.hasPrefix("/")
        var components: [Substring] = []
        for component in path.split(separator: "/") where component != "." {
            if component != ".." || components.last == ".." {
                components.append(component)
            } else if components.popLast() == nil, !isAbsolute {
                components.append(component)
            }
        }
        return (isAbsolute ? "/" : "") + components.joined(separator: "/")
    }

    /// The last component of its path.
    var name: Substring {
        let text =
            switch self {
            case .file(let path), .unknown(let path): path[...]
            case .remote(let address): address.prefix { $0 != "?" && $0 != "#" }
            }
        return text.split(separator: "/").last ?? ""
    }

    private static func folder(of path: String) -> String {
        let path = path.prefix { $0 != "?" && $0 != "#" }
        return path.lastIndex(of: "/").map { String(path[...$0]) } ?? ""
    }

    static func hasScheme(_ address: String) -> Bool {
        guard let colon = address.utf8.firstIndex(of: UInt8(ascii: ":")), let first = address.utf8.first else {
            return false
        }
        return first.isLetter
            && address.utf8[..<colon].allSatisfy { $0.isLetter || "0123456789+-.".utf8.contains($0) }
    }
}

/// The paths of a site, as a tree. A path below a known one, such as a page's base, takes time and memory only for its own
/// components.
final class SitePaths {
    struct Path: Hashable {
        fileprivate let number: Int
    }

    private struct Node: Hashable {
        let parent: Int
        let name: String
    }

    /// The working directory, the start of relative paths.
    static let workingDirectory = Path(number: 0)

    /// The folder `/`.
    static let top = Path(number: 1)

    /// The root of a site whose folder isn't known.
    static let unknownRoot = Path(number: 2)

    /// The longest path that the system opens, `PATH_MAX` on Linux.
    private static let maximumLength = 4_096

    private var nodes = (0...2).map { Node(parent: $0, name: "") }
    private var numbers: [Node: Int] = [:]
    /// Upper limits for the lengths of the whole paths, in bytes.
    private var lengths = [0, 0, 0]

    /// The path of `/`-separated components, relative to a folder. `..` doesn't leave the root.
    ///
    /// Two paths to the same place are equal.
    func path(_ text: some StringProtocol, in folder: Path, root: Path? = nil) -> Path {
        var number = folder.number
        for component in text.utf8.split(separator: ASCII.slash) where !component.elementsEqual(".".utf8) {
            let canGoUp = number != Self.workingDirectory.number && nodes[number].name != ".."
            if !component.elementsEqual("..".utf8) || !canGoUp && number != root?.number {
                number = child(String(decoding: component, as: UTF8.self), of: number)
            } else if number != root?.number {
                number = nodes[number].parent
            }
        }
        return Path(number: number)
    }

    /// The path of a file as the system names it.
    func path(ofFile path: String) -> Path {
        self.path(path, in: path.hasPrefix("/") ? Self.top : Self.workingDirectory)
    }

    private func child(_ name: String, of parent: Int) -> Int {
        let node = Node(parent: parent, name: name)
        if let number = numbers[node] { return number }
        lengths.append(lengths[parent] + 1 + name.utf8.count)
        nodes.append(node)
        numbers[node] = nodes.count - 1
        return nodes.count - 1
    }

    /// The folder that contains a path.
    func folder(of path: Path) -> Path { Path(number: nodes[path.number].parent) }

    /// The last component of a path, or an empty string.
    func name(of path: Path) -> String { nodes[path.number].name }

    /// Whether a folder's path is too long for the system to open a file in it.
    func isTooLong(_ path: Path) -> Bool { lengths[path.number] > Self.maximumLength }

    /// A path for the system.
    func text(of path: Path) -> String {
        var components: [String] = []
        var number = path.number
        while nodes[number].parent != number {
            components.append(nodes[number].name)
            number = nodes[number].parent
        }
        return (number == Self.top.number ? "/" : "") + components.reversed().joined(separator: "/")
    }
}

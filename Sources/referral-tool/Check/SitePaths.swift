import ReferralBridge

/// The paths that a site's addresses lead to, as a tree: a path that begins with another one, such as a page's base, takes
/// time and room for its own end only.
final class SitePaths {
    struct Path: Hashable {
        fileprivate let number: Int
    }

    private struct Node {
        let parent: Int
        let name: String
        /// The length of the whole path in bytes, or a little more.
        let length: Int
    }

    private struct Child: Hashable {
        let parent: Int
        let name: String
    }

    /// The folder in which the command runs, where relative paths begin.
    static let start = Path(number: 0)

    /// The folder `/`.
    static let top = Path(number: 1)

    /// The root of a site where nobody named a folder for it.
    static let unknownRoot = Path(number: 2)

    /// What the system opens at most, `PATH_MAX` on Linux.
    private static let longestPath = 4096

    private var nodes = (0...2).map { Node(parent: $0, name: "", length: 0) }
    private var numbers: [Child: Int] = [:]

    /// The path that some text leads to, without the components that lead nowhere.
    ///
    /// - Parameters:
    ///   - text: Components with `/` between them.
    ///   - folder: Where the text begins.
    ///   - root: The folder that `..` doesn't lead out of.
    /// - Returns: The path, equal to any other that leads to the same place.
    func path(_ text: some StringProtocol, in folder: Path, root: Path? = nil) -> Path {
        var number = folder.number
        for component in text.utf8.split(separator: .slash) {
            if component.elementsEqual(".".utf8) { continue }
            let isUp = component.elementsEqual("..".utf8)
            let isBelowStart = number != Self.start.number && nodes[number].name != ".."
            if isUp, isBelowStart || number == root?.number {
                number = number == root?.number ? number : nodes[number].parent
            } else {
                number = child(String(decoding: component, as: UTF8.self), of: number)
            }
        }
        return Path(number: number)
    }

    private func child(_ name: String, of parent: Int) -> Int {
        let child = Child(parent: parent, name: name)
        if let number = numbers[child] { return number }
        nodes.append(Node(parent: parent, name: name, length: nodes[parent].length + 1 + name.utf8.count))
        numbers[child] = nodes.count - 1
        return nodes.count - 1
    }

    /// The folder that holds what stands at a path.
    func folder(of path: Path) -> Path { Path(number: nodes[path.number].parent) }

    /// The last component of a path; empty where there is none.
    func name(of path: Path) -> String { nodes[path.number].name }

    /// A path as the system takes it; `nil` for one that is too long for it, or lies below an unknown root.
    func text(of path: Path) -> String? {
        guard nodes[path.number].length <= Self.longestPath else { return nil }
        var components: [String] = []
        var number = path.number
        while nodes[number].parent != number {
            components.append(nodes[number].name)
            number = nodes[number].parent
        }
        guard number != Self.unknownRoot.number else { return nil }
        return (number == Self.top.number ? "/" : "") + components.reversed().joined(separator: "/")
    }
}

import Foundation

/// The names of the boards, in a file. The free app has room for ten.
struct BoardList {
    static let limit = 10

    let file: URL
    private(set) var names = [
        NSLocalizedString("Garden", comment: ""), NSLocalizedString("Kitchen", comment: ""),
        NSLocalizedString("Holiday", comment: ""),
    ]

    /// Reads the boards in a folder, or begins with three.
    init(in folder: URL) {
        file = folder.appending(path: "boards.json")
        if let saved = try? JSONDecoder().decode([String].self, from: Data(contentsOf: file)) { names = saved }
    }

    var isFull: Bool { names.count >= Self.limit }

    /// Adds a board, if there is room.
    mutating func add() throws {
        guard !isFull else { return }
        names.append(String(format: NSLocalizedString("Board %ld", comment: ""), names.count + 1))
        try save()
    }

    func save() throws { try JSONEncoder().encode(names).write(to: file, options: .atomic) }
}

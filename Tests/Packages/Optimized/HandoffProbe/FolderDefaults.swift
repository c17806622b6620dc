import DataHandoff
import Foundation

/// User defaults in a folder, with a file for each key, so that a process can be ended while it sets them.
struct FolderDefaults: DefaultsStore {
    static let keys: Set = ["order", "theme", "zoom"]

    let folder: URL

    /// The property list of a package.
    func list() throws -> Data {
        let members = try Self.keys.sorted().compactMap { key in
            try value(of: key).map { DefaultsValue.Member(key, $0) }
        }
        return DefaultsValue.dictionary(members).binary
    }

    func value(of key: String) throws(HandoffError) -> DefaultsValue? {
        let file = folder.appending(path: key)
        guard FileManager.default.fileExists(atPath: file.path()) else { return nil }
        guard let text = try? String(contentsOf: file, encoding: .utf8) else { throw .invalidDefaults }
        return .string(text)
    }

    func set(_ value: DefaultsValue?, of key: String) throws(HandoffError) {
        let file = folder.appending(path: key)
        do {
            guard case .string(let text) = value else { return try FileManager.default.removeItem(at: file) }
            try Data(text.utf8).write(to: file, options: .atomic)
        } catch {
            throw .noSpace
        }
    }
}

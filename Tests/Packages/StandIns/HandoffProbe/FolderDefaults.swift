import DataHandoff
import Foundation

/// User defaults in a folder, with a file for each key, so that a process can be ended while it sets them.
final class FolderDefaults: UserDefaults {
    static let keys: Set = ["order", "theme", "zoom"]

    private let folder: URL

    init(folder: URL) {
        self.folder = folder
        // swift-format-ignore: NeverForceUnwrap
        super.init(suiteName: nil)!
    }

    override func object(forKey key: String) -> Any? {
        try? String(contentsOf: folder.appending(path: key), encoding: .utf8)
    }

    override func set(_ value: Any?, forKey key: String) {
        guard let text = value as? String else { return }
        twice { try Data(text.utf8).write(to: folder.appending(path: key), options: .atomic) }
    }

    override func removeObject(forKey key: String) {
        twice { try FileManager.default.removeItem(at: folder.appending(path: key)) }
    }

    /// Setting user defaults doesn't fail, so a call that was made to fail is made again.
    private func twice(_ change: () throws -> Void) {
        do { try change() } catch { try? change() }
    }
}

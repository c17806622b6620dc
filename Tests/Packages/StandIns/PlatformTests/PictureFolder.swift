import Foundation
import SwiftUI
import Testing

/// A folder with pictures of what a person sees, a text for each.
@MainActor
final class PictureFolder {
    private let folder: URL
    private let language: String
    private let texts: [StringCatalog]
    private var names: Set<String> = []

    /// A folder beside the tests, and the sentences of the views.
    init(_ name: String, in language: String, _ texts: [StringCatalog]) {
        folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: name)
        self.language = language
        self.texts = texts
    }

    /// Compares what the person sees with the picture of that name.
    func expect(_ name: String, _ rendering: Rendering, upTo title: String? = nil) throws {
        let picture = ScreenPicture(rendering, upTo: title, in: language, texts)
        let file = folder.appending(path: "\(name).\(language).txt")
        let environment = ProcessInfo.processInfo.environment
        if environment["UPDATE_PICTURES"] != nil { try Data(picture.text.utf8).write(to: file) }
        if let pages = environment["PICTURE_PAGES"] {
            let page = URL(filePath: pages).appending(path: "\(name).\(language).html")
            try Data(picture.page.utf8).write(to: page)
        }
        let expected = try? String(decoding: Data(contentsOf: file), as: UTF8.self)
        #expect(picture.text == expected, "\(name).\(language) is now:\n\(picture.text)")
        names.insert(file.lastPathComponent)
    }

    /// Expects no other pictures in the folder.
    func expectNoOthers() throws {
        let files = try FileManager.default.contentsOfDirectory(atPath: folder.path())
        #expect(Set(files.filter { $0.hasSuffix(".\(language).txt") }) == names)
    }
}

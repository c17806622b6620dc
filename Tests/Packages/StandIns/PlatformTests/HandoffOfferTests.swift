import DataHandoff
import Foundation
import SwiftUI
import TestSupport
import Testing

extension PlatformTests {
    @MainActor
    struct HandoffOfferTests {
        /// An offer, and what the app hears of it.
        @MainActor
        private final class Question {
            let apps: Apps
            var receipts: [HandoffReceipt?] = []

            init(apps: Apps) { self.apps = apps }

            func offer(_ bytes: URL? = nil) async throws -> HandoffOffer {
                var file = bytes
                if file == nil { file = try await apps.sender.makeFile() }
                return try await apps.receiver.receive(fileAt: #require(file))
            }

            func model(canAdd: Bool = false) async throws -> HandoffOfferModel {
                HandoffOfferModel(try await offer(), from: "Trestle Lite", into: apps.documents, canAdd: canAdd) {
                    self.receipts.append($0)
                }
            }

            func model(
                merging copy: @escaping @Sendable (URL) async throws -> Void
            ) async throws -> HandoffOfferModel {
                HandoffOfferModel(try await offer(), from: "Trestle Lite", merging: copy) { self.receipts.append($0) }
            }
        }

        private func shown(_ model: HandoffOfferModel) -> Rendering { Rendering(HandoffOfferView(model)) }

        private func press(_ title: String, _ model: HandoffOfferModel) throws {
            try #require(shown(model).buttons.first { $0.title == title }, "there is no \(title)").press()
        }

        private func isOver(_ model: HandoffOfferModel) async {
            await until("the choice comes to something") { if case .working = model.state { false } else { true } }
        }

        @Test("the offer says whose data it is, and how much; nothing is there until the person agrees")
        func replace() async throws {
            let question = Question(apps: try Apps())
            let model = try await question.model()
            let texts = shown(model).texts
            #expect(texts.contains("Data from Trestle Lite"))
            #expect(texts.contains { $0.hasPrefix("1 files, 15 ") }, "\(texts)")
            #expect(texts.contains { $0.hasPrefix("Made ") && $0.contains("20") })
            #expect(shown(model).buttons.map(\.title) == ["Replace What Is Here", "Not Now"])
            #expect(shown(model).buttons.map(\.role) == [.destructive, .cancel])
            #expect(question.apps.installed == [])

            try press("Replace What Is Here", model)
            #expect(model.state == .working(.replace))
            #expect(shown(model).buttons.isEmpty, "an installation isn't interrupted")
            // A second tap and a cancellation come too late.
            model.choose(.replace)
            model.decline()
            model.cancel()
            await isOver(model)
            #expect(model.state == .done)
            #expect(question.apps.file == "fourteen boards")
            model.choose(.replace)
            #expect(model.state == .done)
            #expect(question.receipts.count == 1)
            #expect(question.receipts.first.flatMap(\.self) != nil)
        }

        @Test("an error is a sentence, and the person can choose again")
        func errorAndRetry() async throws {
            let question = Question(apps: try Apps())
            let file = question.apps.documents.appending(path: "boards.sqlite")
            try Data("two boards".utf8).write(to: file)
            let model = try await question.model(canAdd: true)
            #expect(shown(model).buttons.map(\.title) == ["Replace What Is Here", "Add", "Not Now"])
            try press("Add", model)
            model.cancel()
            await isOver(model)
            let error = HandoffError.fileExists("boards.sqlite")
            #expect(model.state == .failed(error))
            #expect(question.receipts.isEmpty)
            #expect(question.apps.file == "two boards")
            let texts = shown(model).texts
            #expect(texts.contains("Files with the same names are already here, so nothing was added."))
            #expect(!texts.contains(error.description), "it says the same, in English only")

            try FileManager.default.removeItem(at: file)
            try press("Add", model)
            await isOver(model)
            #expect(model.state == .done)
            #expect(question.apps.file == "fourteen boards")
            #expect(question.receipts.count == 1)
        }

        @Test("only what the app allows can be chosen")
        func notAllowed() async throws {
            let question = Question(apps: try Apps())
            let model = try await question.model()
            model.choose(.add)
            #expect(model.state == .asking)
        }

        @Test("Not Now removes the package and tells the app, once, after an error too")
        func decline() async throws {
            struct Full: Error {}
            let question = Question(apps: try Apps())
            let model = try await question.model { _ in throw Full() }
            try press("Bring Over", model)
            await isOver(model)
            let error = HandoffError.appFailed("Full()")
            #expect(model.state == .failed(error))
            let drawing = shown(model).texts
            let sentence = try #require(drawing.firstIndex(of: "The data could not be brought over. Try again."))
            #expect(drawing[sentence + 1] == error.description)
            try press("Not Now", model)
            model.decline()
            #expect(model.state == .declined)
            #expect(question.receipts.count == 1)
            #expect(question.receipts.first.flatMap(\.self) == nil)
            let staged = question.apps.folder.appending(path: "storage/DataHandoff/staged").path()
            await until("the package is removed") {
                (try? FileManager.default.contentsOfDirectory(atPath: staged)) == []
            }
        }

        @Test("a merge can be cancelled, which is no error, and be chosen again")
        func cancel() async throws {
            let question = Question(apps: try Apps())
            let model = try await question.model { _ in try await untilCancelled() }
            for _ in 1...2 {
                try press("Bring Over", model)
                try press("Cancel", model)
                await isOver(model)
                #expect(model.state == .asking)
                #expect(question.receipts.isEmpty)
            }
        }

        @Test("a package that was taken before, or is older than one that was, comes with a warning")
        func warnings() async throws {
            let question = Question(apps: try Apps())
            let old = try await question.apps.sender.makeFile()
            let kept = question.apps.folder.appending(path: "kept.handoff")
            try FileManager.default.copyItem(at: old, to: kept)
            question.apps.clock.advance(by: 1)
            let newer = try await question.apps.sender.makeFile()
            for (file, isOlder, isSecond) in [(newer, false, false), (kept, true, false), (kept, true, true)] {
                let offer = try await question.offer(file)
                let model = HandoffOfferModel(offer, from: "Trestle Lite", into: question.apps.documents) { _ in }
                let texts = shown(model).texts
                #expect(texts.contains("This data was brought over before.") == isSecond)
                #expect(texts.contains("Newer data was brought over before.") == isOlder)
                model.choose(.replace)
                await isOver(model)
            }
        }

        private static let settings = HandoffDefaults(["theme"], in: Settings(["theme": "dark"]))

        @Test(
            "an offer names settings, which aren't a file, if there are any that the app accepts",
            arguments: [true, false]
        )
        func settings(isAccepted: Bool) async throws {
            let apps = try Apps(sending: Self.settings, accepting: isAccepted ? Self.settings : nil)
            let texts = shown(try await Question(apps: apps).model()).texts
            #expect(texts.contains { $0.hasPrefix("1 files, ") }, "\(texts)")
            #expect(texts.contains("With your settings") == isAccepted)
        }

        @Test("each sentence is in the catalog, in each language with the same placeholders, and no other is")
        func catalog() async throws {
            let question = Question(apps: try Apps(sending: Self.settings, accepting: Self.settings))
            // A bundle of the app's own takes the place of the library's.
            let bundle = Bundle.main
            var keys: Set<String> = []
            func note(_ model: HandoffOfferModel) {
                for isOwn in [true, false] {
                    let view = isOwn ? HandoffOfferView(model, bundle: bundle) : HandoffOfferView(model)
                    for (key, place) in Rendering(view).keys {
                        keys.insert(key)
                        #expect((place === bundle) == isOwn, "\(key)")
                    }
                }
            }
            let file = try await question.apps.sender.makeFile()
            let kept = question.apps.folder.appending(path: "kept.handoff")
            try FileManager.default.copyItem(at: file, to: kept)
            question.apps.clock.advance(by: 1)
            for file in [kept, try await question.apps.sender.makeFile(), kept] {
                let offer = try await question.offer(file)
                let model = HandoffOfferModel(offer, from: "", into: question.apps.documents, canAdd: true) { _ in }
                note(model)
                model.choose(.replace)
                await isOver(model)
                note(model)
            }
            let merge = try await question.model { _ in try await untilCancelled() }
            note(merge)
            merge.choose(.merge)
            note(merge)
            merge.cancel()
            await isOver(merge)
            struct Full: Error {}
            let failing: [(HandoffOfferModel, HandoffOfferModel.Choice, HandoffError)] = [
                (try await question.model { _ in throw Full() }, .merge, .appFailed("Full()")),
                (try await question.model(canAdd: true), .add, .fileExists("boards.sqlite")),
            ]
            for (model, choice, error) in failing {
                model.choose(choice)
                await isOver(model)
                #expect(model.state == .failed(error))
                note(model)
            }

            let catalog = try StringCatalog("DataHandoff/Offer")
            // No test here fills a disk.
            keys.insert("There is no space left on this device. Free up some space, and try again.")
            #expect(keys == Set(catalog.strings.keys))
            try catalog.check()
        }
    }
}

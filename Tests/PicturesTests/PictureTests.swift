import Foundation
import Pictures
import Testing

/// The rules for icons, which `web/tests/picture.test.mjs` tests in JavaScript.
struct PictureTests {
    @Test("what may be an icon, and what is wrong with the rest", arguments: try Vectors.read().cases)
    func judge(_ vector: Vectors.Case) throws {
        let file = try vector.file
        do {
            let type = try Picture.mediaType(of: file)
            #expect(vector.verdict == "accepted")
            #expect(type == vector.type)
        } catch {
            #expect(vector.verdict == "refused")
            #expect(error.kind.rawValue == vector.kind)
            #expect(error.line == vector.line)
            #expect(error.name == vector.subject)
            #expect(error.reason == vector.reason)
        }
    }

    @Test("everything on the lists is accepted, and nothing beside them")
    func lists() throws {
        let lists = try Vectors.read().lists
        func kind(_ content: String) -> String? {
            let picture = "<svg xmlns=\"http://www.w3.org/2000/svg\">\(content)</svg>"
            do { _ = try Picture.mediaType(of: Array(picture.utf8)) } catch { return error.kind.rawValue }
            return nil
        }
        for name in lists.elements { #expect(kind("<\(name)/>") == nil, "\(name)") }
        for name in lists.textAttributes { #expect(kind("<g \(name)=\"url(x)\"/>") == nil, "\(name)") }
        // A name of XML doesn't begin with a hyphen.
        for name in lists.attributes + lists.properties where !name.hasPrefix("-") {
            #expect(kind("<g \(name)=\"1\"/>") == nil, "\(name)")
            #expect(kind("<g \(name)=\"url(x)\"/>") == "value", "\(name)")
        }
        for name in lists.properties {
            #expect(kind("<g style=\"\(name):1\"/>") == nil, "\(name)")
            #expect(kind("<g style=\"\(name):url(x)\"/>") == "style", "\(name)")
        }
        for name in lists.functions { #expect(kind("<g fill=\"\(name)(1)\"/>") == nil, "\(name)") }

        for name in lists.refused.elements { #expect(kind("<\(name)/>") == "element", "\(name)") }
        for name in lists.refused.attributes { #expect(kind("<g \(name)=\"1\"/>") == "attribute", "\(name)") }
        for name in lists.refused.properties { #expect(kind("<g style=\"\(name):1\"/>") == "style", "\(name)") }
        for name in lists.refused.functions { #expect(kind("<g fill=\"\(name)(1)\"/>") == "value", "\(name)") }
    }

    @Test("no change of a picture and no part of one stops the reader")
    func changed() throws {
        var random = SystemRandomNumberGenerator()
        let parts = [
            "<", ">", "/", "\"", "'", "&", ";", "<!--", "-->", "<![CDATA[", "]]>", "<?xml ", "?>", "<!DOCTYPE svg",
            "&#x3C;", "é", "\u{FEFF}",
            "url(", "#a", ")", "{", "}", ":", "=", " ", "\n", "xlink:", "onload=\"x\"", "<style>", "</style>", "\u{0}",
        ]
        for vector in try Vectors.read().cases where vector.svg != nil {
            let file = try vector.file
            for _ in 0..<20 {
                var changed = file
                for _ in 0...Int.random(in: 0...3, using: &random) {
                    let place = Int.random(in: 0...changed.count, using: &random)
                    let end = min(changed.count, place + Int.random(in: 0...6, using: &random))
                    changed.replaceSubrange(place..<end, with: parts.randomElement(using: &random)!.utf8)
                }
                _ = try? Picture.mediaType(of: changed)
            }
            for end in stride(from: 0, to: file.count, by: 7) { _ = try? Picture.mediaType(of: Array(file[..<end])) }
        }
    }
}

/// `pictures.json`.
struct Vectors: Decodable {
    struct Case: Decodable, CustomTestStringConvertible {
        let name: String
        let svg: String?
        let base64: String?
        let verdict: String
        let type: String?
        let kind: String?
        let line: Int?
        let subject: String?
        let reason: String?

        var testDescription: String { name }

        var file: [UInt8] {
            get throws {
                if let svg { return Array(svg.utf8) }
                let text = try #require(base64)
                return Array(try #require(Data(base64Encoded: text)))
            }
        }
    }

    struct Names: Decodable {
        let elements, attributes, properties, functions: [String]
    }

    struct Lists: Decodable {
        let elements, textAttributes, attributes, properties, functions: [String]
        let refused: Names
    }

    let lists: Lists
    let cases: [Case]

    static func read() throws -> Vectors {
        let tests = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        return try JSONDecoder().decode(
            Vectors.self,
            from: Data(contentsOf: tests.appending(path: "Vectors/pictures.json"))
        )
    }
}

/// Reads an XML property list in UTF-8. Of a document type, only the one without declarations of its own is read.
struct XMLPropertyListReader {
    private enum Tag: Equatable {
        case start(String, isEmpty: Bool)
        case end(String)
        case finished
    }

    private let bytes: [UInt8]
    private var position = 0

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
        if bytes.starts(with: "\u{FEFF}".utf8) { position = 3 }
    }

    mutating func read() throws(PropertyList.Failure) -> PropertyList {
        guard (try? tag()) == .start("plist", isEmpty: false) else { throw failure("this is not a property list") }
        guard case .start(let name, let isEmpty) = try tag() else { throw failure("this property list has no value") }
        let value = try value(name, isEmpty: isEmpty, depth: 1)
        guard try tag() == .end("plist") else { throw failure("</plist> is missing here") }
        guard try tag() == .finished else { throw failure("the property list ends before this") }
        return value
    }

    /// The offset of the current tag.
    private var start = 0

    private func failure(_ message: Sentence) -> PropertyList.Failure {
        PropertyList.Failure(offset: start, message: message)
    }

    // MARK: - Values

    private mutating func value(
        _ name: String,
        isEmpty: Bool,
        depth: Int
    ) throws(PropertyList.Failure) -> PropertyList {
        let offset = start
        guard depth <= PropertyList.maximumDepth else {
            throw failure("the property list is nested more than \(PropertyList.maximumDepth) levels deep here")
        }
        let value: PropertyList.Value
        switch name {
        case "dict": value = .dictionary(isEmpty ? [:] : try members(depth: depth))
        case "array": value = .array(isEmpty ? [] : try elements(depth: depth))
        case "string": value = .string(isEmpty ? "" : try text(until: name))
        case "true", "false":
            if !isEmpty { _ = try text(until: name) }
            value = .bool(name == "true")
        case "integer", "real", "date", "data":
            if !isEmpty { _ = try text(until: name) }
            value = .other
        default: throw failure("<\(name: name)> is not a value of a property list")
        }
        return PropertyList(value, offset: offset)
    }

    private mutating func elements(depth: Int) throws(PropertyList.Failure) -> [PropertyList] {
        var values: [PropertyList] = []
        while true {
            switch try tag() {
            case .start(let name, let isEmpty): values.append(try value(name, isEmpty: isEmpty, depth: depth + 1))
            case .end("array"): return values
            default: throw failure("</array> is missing here")
            }
        }
    }

    private mutating func members(depth: Int) throws(PropertyList.Failure) -> [String: PropertyList] {
        var values: [String: PropertyList] = [:]
        while true {
            switch try tag() {
            case .start("key", let isEmpty):
                let key = isEmpty ? "" : try text(until: "key")
                guard case .start(let name, let isEmpty) = try tag() else {
                    throw failure("the value of the key \(quoted: key) is missing here")
                }
                values[key] = try value(name, isEmpty: isEmpty, depth: depth + 1)
            case .end("dict"): return values
            default: throw failure("a <key> or </dict> is missing here")
            }
        }
    }

    // MARK: - Markup

    /// The next tag, after white space, comments and declarations.
    private mutating func tag() throws(PropertyList.Failure) -> Tag {
        while true {
            while position < bytes.count, ASCII.isWhiteSpace(bytes[position]) { position += 1 }
            start = position
            guard position < bytes.count else { return .finished }
            if skip("<!--") {
                try skip(to: "-->")
            } else if skip("<?") {
                try skip(to: "?>")
            } else if skip("<!DOCTYPE") {
                let declaration = position
                try skip(to: ">")
                // It could define entities that contain each other, again and again.
                guard !bytes[declaration..<position].contains(ASCII.openBracket) else {
                    throw failure("this document type has declarations, which property lists don't have")
                }
            } else {
                break
            }
        }
        guard skip("<") else { throw failure("text isn't expected here") }
        let isEnd = skip("/")
        let content = position
        try skip(to: ">")
        var inside = bytes[content..<(position - 1)]
        let isEmpty = inside.last == ASCII.slash
        if isEmpty { inside.removeLast() }
        // Attributes have no meaning, except that <plist> has a version.
        let name = String(decoding: inside.prefix { !ASCII.isWhiteSpace($0) }, as: UTF8.self).streamSafe
        return isEnd ? .end(name) : .start(name, isEmpty: isEmpty)
    }

    /// The text up to an end tag, and skips past that tag.
    private mutating func text(until name: String) throws(PropertyList.Failure) -> String {
        var text = ""
        while true {
            let begin = position
            while position < bytes.count, bytes[position] != ASCII.lessThan { position += 1 }
            text += CharacterReferences.decoded(bytes[begin..<position])
            start = position
            if skip("<![CDATA[") {
                let begin = position
                try skip(to: "]]>")
                text += String(decoding: bytes[begin..<(position - 3)], as: UTF8.self)
            } else if skip("<!--") {
                try skip(to: "-->")
            } else {
                guard try tag() == .end(name) else { throw failure("</\(name: name)> is missing here") }
                return text.streamSafe
            }
        }
    }

    private mutating func skip(_ text: StaticString) -> Bool {
        guard bytes[position...].starts(with: text.utf8) else { return false }
        position += text.utf8CodeUnitCount
        return true
    }

    private mutating func skip(to end: StaticString) throws(PropertyList.Failure) {
        while position < bytes.count {
            if skip(end) { return }
            position += 1
        }
        throw failure("this is never closed")
    }
}

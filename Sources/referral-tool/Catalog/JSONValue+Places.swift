import UnlockCatalog

extension JSONValue {
    typealias Member = (name: JSONValue, value: JSONValue)

    /// Passes the object that a text is to a function; `nil` if the text is something else.
    @discardableResult
    static func withObject<Value>(in text: [UInt8], _ body: (JSONValue) -> Value) -> Value? {
        text.withUnsafeBufferPointer { bytes in (try? JSONValue(object: bytes)).map(body) }
    }

    /// The members of an object, in order.
    var members: [Member] {
        var members: [Member] = []
        if isObject { try? readObject { members.append(($0, $1)) } }
        return members
    }

    /// A member of an object. If the name is repeated, the last member counts.
    func member(_ name: String) -> Member? { members.last { Name($0.name.content) == Name(name) } }

    /// The elements of an array that is a member of an object.
    func elements(of name: String) -> [JSONValue] { member(name)?.value.array ?? [] }

    /// The value's text, shortened to one line.
    var shown: String {
        let line = text.split(whereSeparator: \.isWhitespace).joined(separator: " ").unicodeScalars
        return line.count > 60 ? String(line.prefix(60)) + "…" : String(line)
    }
}

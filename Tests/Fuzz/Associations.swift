private let apps = ["ABCDE12345.com.example.app", "ABCDE12345.com.example.app2"]

/// Reads any bytes as a property list, and as an association file with an address after its last line feed.
@_cdecl("LLVMFuzzerTestOneInput")
public func associateOneInput(_ bytes: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    let bytes = Array(UnsafeBufferPointer(start: bytes, count: count))
    if let list = try? PropertyList(bytes) { precondition(1...10_000 ~= size(of: list, depth: 1)) }

    let end = bytes.lastIndex(of: UInt8(ascii: "\n")) ?? bytes.endIndex
    guard let file = try? AssociationFile(Array(bytes[..<end])) else { return 0 }
    let text = String(decoding: bytes[end...].dropFirst(), as: UTF8.self)
    for app in apps {
        for address in [text, "https://example.com/get?via=anna#a"] {
            let number = file.decision(on: address, for: [app])?.number
            precondition(file.decision(on: address, for: [app])?.number == number, "a match depends on earlier ones")
        }
    }
    return 0
}

/// The number of values in a list, which is nested 64 levels deep at most.
private func size(of list: PropertyList, depth: Int) -> Int {
    precondition(depth <= 65)
    switch list {
    case .array(let values): return values.reduce(1) { $0 + size(of: $1, depth: depth + 1) }
    case .dictionary(let values): return values.values.reduce(1) { $0 + size(of: $1, depth: depth + 1) }
    case .string, .bool, .other: return 1
    }
}

/// Writes a payload: the moment of the tap, the referrer, and the parameters in the order of their names.
///
/// For the same input, the snippet on a web page writes the same bytes.
package struct PayloadWriter {
    private var json: JSONWriter

    /// The size of a buffer for a payload with so many bytes of referrer, names and values. The payload may have fewer bytes.
    package static func capacity(text: Int, parameterCount: Int) -> Int {
        // An escape takes at most six bytes. A parameter has six bytes of punctuation, and the rest has fewer than 64 bytes.
        6 * text + 6 * parameterCount + 64
    }

    /// The payload before the referrer. It is the same for all taps of a moment.
    package static func beginning(at timestamp: Timestamp?) -> [UInt8] {
        let time = timestamp.map { "\"timestamp\":" + JSONWriter.number($0.milliseconds) + "," } ?? ""
        return Array("{\(time)\"referrer\":".utf8)
    }

    /// Begins a payload with its ``beginning(at:)`` and the referrer, in UTF-8.
    package init(_ output: UnsafeMutableBufferPointer<UInt8>, _ beginning: [UInt8], _ referrer: Bytes) {
        json = JSONWriter(output)
        beginning.withUnsafeBufferPointer { json.append($0) }
        json.append(quoting: referrer)
    }

    /// Appends a parameter, in UTF-8. The caller passes the parameters in the order of ``Claims/precedes(_:_:)``.
    package mutating func append(_ name: Bytes, _ value: Bytes) {
        json.append(",")
        json.append(quoting: name)
        json.append(":")
        json.append(quoting: value)
    }

    /// Ends the payload, and returns its length.
    package mutating func finish() -> Int {
        json.append("}")
        return json.count
    }
}

package import Foundation
import ReferralFoundation

/// Property lists in Apple's XML format.
///
/// Dictionaries are sorted, so the same values have the same bytes. No part of a list can refer to another part, as it can in the
/// binary format, so the length of a list limits the memory that reading it needs.
package enum PropertyList {
    private static let maximumDepth = 64

    /// The longest key, in bytes of the list, without the `>` before it.
    private static let maximumKeyLength = 1_024

    /// What precedes the value in each list that Foundation writes.
    private static let header = Data(
        #"""
        <?xml version="1.0" encoding="UTF-8"?>
        <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
        <plist version="1.0">

        """#.utf8
    )

    /// Writes a value.
    ///
    /// - Throws: ``HandoffError/invalidDefaults``.
    package static func data(_ value: Any) throws(HandoffError) -> Data {
        let data = try? PropertyListSerialization.data(fromPropertyList: value, format: .xml, options: 0)
        guard let data else { throw .invalidDefaults }
        return data
    }

    /// Reads a dictionary that ``data(_:)`` may have written.
    ///
    /// - Throws: ``HandoffError/invalidDefaults``.
    package static func dictionary(_ data: Data) throws(HandoffError) -> [String: Any] {
        guard data.starts(with: header), isHarmless(data.dropFirst(header.count)),
            let list = try? PropertyListSerialization.propertyList(from: data, format: nil),
            let dictionary = list as? [String: Any]
        else { throw .invalidDefaults }
        return dictionary
    }

    /// Whether Foundation reads a list with little memory on the stack, since it calls itself for each nested element, and in little
    /// time: Swift sorts the marks in a key to hash it, which may take hours for a long one.
    private static func isHarmless(_ elements: Data) -> Bool {
        let slash = UInt8(ascii: "/")
        var depth = 0
        for element in elements.split(separator: UInt8(ascii: "<")) {
            // A list of Foundation has no attributes, and no comments, which could hide elements.
            let tag = element.prefix { $0 != UInt8(ascii: ">") }
            guard tag.allSatisfy({ UInt8(ascii: "a")...UInt8(ascii: "z") ~= $0 || $0 == slash }) else { return false }
            if tag.first == slash { depth -= 1 } else if tag.last != slash { depth += 1 }
            if tag.elementsEqual("key".utf8), element.count - tag.count > maximumKeyLength + 1 { return false }
            guard depth <= maximumDepth else { return false }
        }
        return true
    }
}

/// The record type of `CloudKitGuestbook`, with its fields, indexes and rights.
package enum GuestbookSchema {
    package struct Field: Sendable {
        package let name: String
        package let type: String
        package let isQueryable: Bool

        init(_ name: String, _ type: String, isQueryable: Bool = false) {
            self.name = name
            self.type = type
            self.isQueryable = isQueryable
        }
    }

    package struct Grant: Sendable {
        package let right: String
        package let role: String
    }

    package static let recordType = "Arrival"
    package static let program = "program"
    package static let referrer = "referrer"
    package static let event = "event"
    package static let day = "day"
    package static let format = "format"

    /// The system's name for a record's creation date.
    package static let creationDate = "___createTime"

    package static let fields = [
        Field(creationDate, "TIMESTAMP", isQueryable: true), Field(day, "TIMESTAMP"), Field(event, "STRING"),
        Field(format, "INT64"), Field(program, "STRING"), Field(referrer, "STRING", isQueryable: true),
    ]

    /// Everybody may read, users who are signed in may create, and only a record's creator may change it.
    package static let grants = [
        Grant(right: "WRITE", role: "_creator"), Grant(right: "CREATE", role: "_icloud"),
        Grant(right: "READ", role: "_world"),
    ]

    /// The schema in CloudKit's language.
    package static var text: String {
        let fields = fields.map { field in
            let name = field.name.hasPrefix("_") ? "\"\(field.name)\"" : field.name
            return "\(name) \(field.type)\(field.isQueryable ? " QUERYABLE" : "")"
        }
        let grants = grants.map { "GRANT \($0.right) TO \"\($0.role)\"" }
        let lines = (fields + grants).map { "        \($0)" }.joined(separator: ",\n")
        return "DEFINE SCHEMA\n\n    RECORD TYPE \(recordType) (\n\(lines)\n    );\n"
    }
}

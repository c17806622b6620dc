import ReferralInvitations
import UnlockCatalog

extension CloudSchema {
    /// The differences that keep the schema from being that of a guestbook, in the order of the text.
    var problemsOfGuestbook: [Problem] {
        guard let type = recordTypes.first(where: { $0.name == Name(GuestbookSchema.recordType) }) else {
            let message: Sentence =
                "the record type \(name: GuestbookSchema.recordType) is missing; referral-tool guestbook --schema prints it"
            return [Problem(offset: 0, message: message)]
        }
        let problems = GuestbookSchema.fields.compactMap(type.problem) + type.problemsOfGrants
        return problems.sorted { $0.offset < $1.offset }
    }
}

private extension CloudSchema.RecordType {
    func problem(_ needed: GuestbookSchema.Field) -> CloudSchema.Problem? {
        guard let field = fields.first(where: { $0.name == Name(needed.name) }) else {
            // The system's fields are there even if the schema doesn't name them, without an index.
            let name: Sentence = needed.name.hasPrefix("_") ? "\"\(name: needed.name)\"" : "\(name: needed.name)"
            let index: Sentence = needed.isQueryable ? " QUERYABLE'" : "'"
            return CloudSchema.Problem(
                offset: offset,
                message: "the field \(name: needed.name) is missing; add '\(name) \(name: needed.type)\(index)"
            )
        }
        if field.type != needed.type {
            let message: Sentence =
                "the field \(name: needed.name) is \(name: field.type), and must be \(name: needed.type)"
            return CloudSchema.Problem(offset: field.offset, message: message)
        }
        guard needed.isQueryable, !field.indexes.contains("QUERYABLE") else { return nil }
        return CloudSchema.Problem(
            offset: field.offset,
            message:
                "the field \(name: needed.name) has no index for queries, so nobody can be found by it; add QUERYABLE"
        )
    }

    var problemsOfGrants: [CloudSchema.Problem] {
        var problems: [CloudSchema.Problem] = []
        for needed in GuestbookSchema.grants
        where !grants.contains(where: { $0.role == Name(needed.role) && $0.rights.contains(Name(needed.right)) }) {
            let message: Sentence =
                "\(name: needed.role) lacks a right; add 'GRANT \(name: needed.right) TO \"\(name: needed.role)\"'"
            problems.append(CloudSchema.Problem(offset: offset, message: message))
        }
        for grant in grants where grant.role != "_creator" && grant.rights.contains("WRITE") {
            let message: Sentence = "\(name: grant.role.rawValue) may change the records of others; remove WRITE"
            problems.append(CloudSchema.Problem(offset: grant.offset, message: message))
        }
        for grant in grants where grant.role == "_world" && grant.rights.contains("CREATE") {
            // CloudKit has no creator for such a record, so it counts for nothing.
            problems.append(
                CloudSchema.Problem(offset: grant.offset, message: "_world may create records; remove CREATE")
            )
        }
        return problems
    }
}

import ReferralInvitations

extension CloudSchema {
    /// The differences that keep the schema from being that of a guestbook, in the order of the text.
    var problemsOfGuestbook: [Problem] {
        guard let type = recordTypes.first(where: { $0.name == GuestbookSchema.recordType }) else {
            let message =
                "the record type \(GuestbookSchema.recordType) is missing; referral-tool guestbook --schema prints it"
            return [Problem(offset: 0, message: message)]
        }
        let problems = GuestbookSchema.fields.compactMap(type.problem) + type.problemsOfGrants
        return problems.sorted { $0.offset < $1.offset }
    }
}

private extension CloudSchema.RecordType {
    func problem(_ needed: GuestbookSchema.Field) -> CloudSchema.Problem? {
        guard let field = fields.first(where: { $0.name == needed.name }) else {
            // The system's fields are there even if the schema doesn't name them, without an index.
            let addition = "add '\(needed.name.hasPrefix("_") ? "\"\(needed.name)\"" : needed.name) \(needed.type)"
            let index = needed.isQueryable ? " QUERYABLE'" : "'"
            return CloudSchema.Problem(
                offset: offset,
                message: "the field \(needed.name) is missing; \(addition)\(index)"
            )
        }
        if field.type != needed.type {
            let message = "the field \(needed.name) is \(field.type), and must be \(needed.type)"
            return CloudSchema.Problem(offset: field.offset, message: message)
        }
        guard needed.isQueryable, !field.indexes.contains("QUERYABLE") else { return nil }
        return CloudSchema.Problem(
            offset: field.offset,
            message: "the field \(needed.name) has no index for queries, so nobody can be found by it; add QUERYABLE"
        )
    }

    var problemsOfGrants: [CloudSchema.Problem] {
        var problems: [CloudSchema.Problem] = []
        for needed in GuestbookSchema.grants
        where !grants.contains(where: { $0.role == needed.role && $0.rights.contains(needed.right) }) {
            let message = "\(needed.role) lacks a right; add 'GRANT \(needed.right) TO \"\(needed.role)\"'"
            problems.append(CloudSchema.Problem(offset: offset, message: message))
        }
        for grant in grants where grant.role != "_creator" && grant.rights.contains("WRITE") {
            let message = "\(grant.role) may change the records of others; remove WRITE"
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

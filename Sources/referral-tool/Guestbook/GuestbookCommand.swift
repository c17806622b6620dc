import ReferralInvitations

/// `referral-tool guestbook`: prints the CloudKit schema of a guestbook, or compares another one with it.
enum GuestbookCommand: Command {
    private static let schema = Flag("--schema", "prints the record type in CloudKit's schema language")
    private static let check = Option(
        "--check",
        "FILE",
        "a schema that was exported from CloudKit Console or with cktool; - is standard input"
    )

    static let name = "guestbook"
    static let summary = "prints or checks the CloudKit schema of a guestbook"
    static let overview = """
        Prints the CloudKit record type that CloudKitGuestbook, of the library ReferralInvitations, needs, or checks a
        schema for it: its fields, their indexes, and who may read, create and change a record.
        """
    static let usages: [[Usage]] = [[.either([.required(schema)], [.required(check)])]]
    static let notes = """
        Add the record type to the schema of your container, and import that into its development environment: a file with
        fewer record types than the container removes the others.

            xcrun cktool export-schema --team-id TEAMID --container-id CONTAINER --environment development --output-file FILE
            xcrun cktool import-schema --team-id TEAMID --container-id CONTAINER --environment development --file FILE

        Then deploy the schema to the production environment, in CloudKit Console: an app from the App Store uses that one.
        Export it from there, too, and check it.

        Problems are printed in lines FILE:LINE:COLUMN: MESSAGE. The exit status is 1 if there are any, 65 if the file isn't a
        schema, and 66 if it can't be read.
        """
    static let example = "referral-tool guestbook --check schema.ckdb"

    /// Larger than any schema, in bytes.
    private static let maximumLength = 16 << 20

    static func run(_ arguments: Arguments) throws(ToolError) -> ExitStatus {
        try arguments.expectNoOperands()
        switch (arguments.contains(schema), try arguments.value(of: check)) {
        case (true, nil): try ByteStream.output.write(GuestbookSchema.text)
        case (false, let path?): return try check(path)
        case (false, nil): throw .usage("which one? --schema prints the schema, --check FILE checks one")
        case (true, _?): throw .usage("give either --schema or --check, not both")
        }
        return .done
    }

    private static func check(_ path: String) throws(ToolError) -> ExitStatus {
        let stream = path == "-" ? ByteStream.input : try ByteStream(reading: path)
        guard let bytes = try stream.readAll(atMost: maximumLength) else {
            throw .badData("\(quoted: path) is too long for a schema")
        }
        let file: Sentence = path == "-" ? "standard input" : "\(whole: path)"
        let problems: [CloudSchema.Problem]
        do throws(CloudSchema.Problem) {
            problems = try CloudSchema(bytes).problemsOfGuestbook
        } catch {
            throw .badData("\(file):\(name: error.position(in: bytes)): \(error.message)")
        }
        guard problems.isEmpty else {
            let lines = problems.map { "\(file.text):\($0.position(in: bytes)): \($0.message.text)\n" }
            try ByteStream.output.write(lines.joined())
            return .problemsFound
        }
        try ByteStream.output.write("\(file.text): \(GuestbookSchema.recordType) has all fields, indexes and rights\n")
        return .done
    }
}

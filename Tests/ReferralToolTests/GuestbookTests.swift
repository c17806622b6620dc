import Foundation
import Testing

/// `referral-tool guestbook`: the schema, and what another one lacks.
struct GuestbookTests {
    private static let schema = """
        DEFINE SCHEMA

            RECORD TYPE Arrival (
                "___createTime" TIMESTAMP QUERYABLE,
                day TIMESTAMP,
                event STRING,
                format INT64,
                program STRING,
                referrer STRING QUERYABLE,
                GRANT WRITE TO "_creator",
                GRANT CREATE TO "_icloud",
                GRANT READ TO "_world"
            );

        """

    private func check(_ schema: String) throws -> Tool.Outcome {
        try Tool.inFolder(["schema.ckdb": Data(schema.utf8)]) { folder in
            try Tool.shell("cd '\(folder)' && referral-tool guestbook --check schema.ckdb")
        }
    }

    @Test("the printed schema is the one that the check accepts")
    func printed() throws {
        #expect(try Tool.run("guestbook", "--schema").output == Self.schema)
        let outcome = try check(Self.schema)
        #expect(outcome.status == 0)
        #expect(outcome.output == "schema.ckdb: Arrival has all fields, indexes and rights\n")
        #expect(outcome.error == "")
        let piped = try Tool.run("guestbook", "--check", "-", input: Self.schema)
        #expect(piped.output == "standard input: Arrival has all fields, indexes and rights\n")
    }

    @Test("the article has the schema that is printed")
    func article() throws {
        let package = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let article = package.appending(path: "Sources/ReferralInvitations/Documentation.docc/TheGuestbook.md")
        #expect(try String(contentsOf: article, encoding: .utf8).contains("```\n\(Self.schema)```\n"))
    }

    @Test("an exported schema with other types, system fields, roles and comments is read")
    func exported() throws {
        let schema = """
            \u{FEFF}define schema
            -- made by hand
            CREATE ROLE Editors;
            RECORD TYPE "Note" ( tags LIST<STRING> QUERYABLE SEARCHABLE, place LOCATION, secret ENCRYPTED STRING,
                n NUMBER PREFERRED AS INT64, GRANT READ, WRITE TO Editors, GRANT WRITE TO "_creator" );
            /* the guestbook */ Record Type Arrival (
                "___createTime" TIMESTAMP SORTABLE QUERYABLE, // found by
                "___createdBy" REFERENCE, "___etag" STRING, "___recordID" REFERENCE QUERYABLE,
                day TIMESTAMP QUERYABLE SORTABLE, event STRING, format int64, program STRING SEARCHABLE,
                "referrer" STRING SORTABLE QUERYABLE, other BYTES,
                GRANT WRITE TO "_creator", GRANT READ, CREATE TO "_icloud", GRANT READ TO "_world"
            );
            RECORD TYPE Users ( roles LIST<INT64>, GRANT WRITE TO "_creator", GRANT READ TO "_world" );
            """
        let outcome = try check(schema)
        #expect(outcome.status == 0, "\(outcome.output)\(outcome.error)")
    }

    @Test(
        "what is missing or wrong is named with its place",
        arguments: [
            ("RECORD TYPE Arrival", "RECORD TYPE arrival", "1:1: the record type Arrival is missing; "),
            ("        event STRING,\n", "", "3:17: the field event is missing; add 'event STRING'"),
            (
                "        referrer STRING QUERYABLE,\n", "",
                "3:17: the field referrer is missing; add 'referrer STRING QUERYABLE'"
            ),
            (
                "        \"___createTime\" TIMESTAMP QUERYABLE,\n", "",
                "3:17: the field ___createTime is missing; add '\"___createTime\" TIMESTAMP QUERYABLE'"
            ),
            ("format INT64", "format STRING", "7:9: the field format is STRING, and must be INT64"),
            (
                "program STRING", "program ENCRYPTED STRING",
                "8:9: the field program is ENCRYPTED STRING, and must be STRING"
            ),
            (
                "referrer STRING QUERYABLE", "referrer STRING SORTABLE",
                "9:9: the field referrer has no index for queries"
            ),
            ("TIMESTAMP QUERYABLE", "TIMESTAMP", "4:9: the field ___createTime has no index for queries"),
            ("GRANT CREATE TO", "GRANT READ TO", "3:17: _icloud lacks a right; add 'GRANT CREATE TO \"_icloud\"'"),
            ("GRANT READ TO \"_world\"", "GRANT READ TO \"_icloud\"", "3:17: _world lacks a right"),
            ("GRANT WRITE TO \"_creator\"", "GRANT READ TO \"_creator\"", "3:17: _creator lacks a right"),
            ("GRANT CREATE TO", "GRANT CREATE, WRITE TO", "11:9: _icloud may change the records of others"),
            ("GRANT READ TO", "GRANT READ, CREATE TO", "12:9: _world may create records"),
        ]
    )
    func problems(_ old: String, _ new: String, _ message: String) throws {
        let outcome = try check(Self.schema.replacingOccurrences(of: old, with: new))
        #expect(outcome.status == 1)
        #expect(outcome.output.hasPrefix("schema.ckdb:\(message)"), "\(outcome.output)")
        #expect(outcome.output.split(separator: "\n").count == 1)
        #expect(outcome.error == "")
    }

    @Test(
        "what isn't a schema is an error with its place",
        arguments: [
            ("", "1:1: expected DEFINE"), ("{}", "1:1: expected DEFINE"), ("DEFINE SCHEMA x", "1:15: expected RECORD"),
            ("DEFINE SCHEMA RECORD TYPE A (", "1:30: expected a name"),
            ("DEFINE SCHEMA RECORD TYPE A ( b )", "1:33: expected the type of the field b"),
            ("DEFINE SCHEMA RECORD TYPE A ( b STRING )", "1:41: expected ;"),
            ("DEFINE SCHEMA\nRECORD TYPE A ( \"b STRING )", "2:17: the name has no quotation mark at its end"),
            ("DEFINE SCHEMA RECORD TYPE A ( GRANT READ \"_world\" );", "1:42: expected TO"),
            ("DEFINE SCHEMA /* RECORD", "0"),
        ]
    )
    func noSchema(_ text: String, _ message: String) throws {
        let outcome = try check(text)
        guard message != "0" else { return #expect(outcome.status == 1) }
        #expect(outcome.status == 65)
        #expect(outcome.error.hasPrefix("referral-tool: schema.ckdb:\(message)"), "\(outcome.error)")
        #expect(outcome.output == "")
    }

    @Test("any bytes give an answer")
    func anyBytes() throws {
        for seed in 0..<40 {
            let bytes = Data((0..<200).map { UInt8(truncatingIfNeeded: ($0 * 7 + seed) * ($0 + 31 * seed)) })
            let status = try Tool.run(["guestbook", "--check", "-"], input: bytes).status
            #expect(status == 65)
        }
    }

    @Test(
        "wrong usage",
        arguments: [
            ([], "which one? --schema prints the schema"),
            (["--schema", "--check", "x"], "either --schema or --check"),
            (["x"], "'x' is not expected here"),
        ]
    )
    func usage(_ arguments: [String], _ message: String) throws {
        let outcome = try Tool.run(["guestbook"] + arguments)
        #expect(outcome.status == 64)
        #expect(outcome.error.contains(message), "\(outcome.error)")
        #expect(try Tool.run("guestbook", "--check", "/nowhere").status == 66)
    }
}

import Testing

extension PageTests {
    @Test(
        "a language and its direction stand in the page",
        arguments: [
            ("en", "ltr", "Get <bdi>T</bdi> on the App Store"), ("de-AT", "ltr", "<bdi>T</bdi> im App Store laden"),
            ("PT-br", "ltr", "Obter"), ("ar", "rtl", "App Store"), ("he", "rtl", "App Store"),
            ("ar-EG", "rtl", "App Store"),
            ("zh-Hans", "ltr", "获取"), ("zh-TW", "ltr", "取得"), ("zh-Hant-HK", "ltr", "取得"), ("ja", "ltr", "入手"),
        ]
    )
    func language(_ tag: String, direction: String, button: String) throws {
        let page = try page("--name", "T", "--language", tag)
        #expect(page.contains("<html lang=\"\(tag)\" dir=\"\(direction)\">"))
        #expect(page.contains(button))
    }

    @Test(
        "every language says everything, with the name and the contents",
        arguments: [
            "ar", "de", "en", "es", "fr", "he", "it", "ja", "ko", "nl", "pt", "zh", "zh-Hant",
        ]
    )
    func complete(_ language: String) throws {
        let page = try page("--name", "T", "--referrer", "x", "--invitations", "--keep", "--language", language)
        let english = try self.page("--name", "T", "--referrer", "x", "--invitations", "--keep")
        let note = try #require(page.firstMatch(of: /id="note">(.*)<\/p>/)?.1)
        #expect(note.contains("<bdi>T</bdi>"))
        #expect(note.contains("<code><bdi id=\"referrer\">x</bdi></code>"))
        #expect(try attribute("data-copied", of: "role=\"status\"", in: page).contains("T"))
        for pattern in [
            /id="store"[^>]*>(.*)<\/a>/, /class="plain"[^>]*>(.*)<\/a>/, /<h2.*>(.*)<\/h2>/,
            /id="scan">([^<]+)<\/p>/, /id="local" hidden>([^<]+)<\/p>/, /id="kept" hidden>([^<]+)<\/p>/,
            /data-failed="([^"]+)"/, /id="invited" hidden>([^<]+)<\/p>/,
            /<p class="quiet">(.*<bdi>T<\/bdi>.*)<\/p>/,
        ] {
            let said = try #require(page.firstMatch(of: pattern)?.1)
            #expect(!said.isEmpty)
            #expect(language == "en" || said != english.firstMatch(of: pattern)?.1)
        }
        #expect(try !attribute("data-code", of: "id=\"phone\"", in: page).isEmpty)
        #expect(!page.contains("{name}"))
        #expect(!page.contains("{contents}"))
        #expect(try Tool.run("help", "page").output.contains("\(language),"))
    }

    private static let own = [
        "button=<{name}>", "note=n {contents}", "signature=s", "plain=p", "copied=c {name}", "failed=f", "phone=h",
        "scan=s", "local=l", "code=q",
    ]

    @Test(
        "another language needs all the sentences",
        arguments: [("fa", "rtl"), ("sv", "ltr"), ("az-Arab", "rtl"), ("ar-Latn", "ltr")]
    )
    func ownSentences(_ tag: String, direction: String) throws {
        let arguments = ["page", "--app-id", "42", "--name", "A&B", "--language", tag]
        let page = try Tool.run(arguments + Self.own.flatMap { ["--text", $0] }).output
        #expect(page.contains("lang=\"\(tag)\" dir=\"\(direction)\""))
        #expect(page.contains(">&lt;<bdi>A&amp;B</bdi>&gt;</a>"))
        #expect(page.contains("data-copied=\"c A&amp;B\""))
        #expect(page.contains(">n <code>"))

        let outcome = try Tool.run(arguments + Self.own.dropLast(2).flatMap { ["--text", $0] })
        #expect(outcome.status == 64)
        #expect(outcome.error.contains("for another language give --text for local, code"))
        let invitation = try Tool.run(arguments + ["--invitations"] + Self.own.flatMap { ["--text", $0] })
        #expect(invitation.error.contains("for another language give --text for invited, enter"))
    }

    @Test("a sentence of one language leaves the others")
    func oneLanguage() throws {
        let page = try page("--name", "T", "--language", "en,de", "--text", "DE.button=Hol dir {name}")
        #expect(page.contains("Hol dir") && page.contains("Get <bdi>T</bdi>"))
    }
}

import Testing

extension PageTests {
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

    @Test("a sentence of one language leaves the others")
    func oneLanguage() throws {
        let page = try page("--name", "T", "--language", "en,de", "--text", "DE.button=Hol dir {name}")
        #expect(page.contains("Hol dir") && page.contains("Get <bdi>T</bdi>"))
    }
}

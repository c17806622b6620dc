import ReferralFoundation
import WebFiles

/// The sentences of a landing page. `{name}` is the app's name, and `{contents}` are the contents of the copied link.
enum PageSentence: String, CaseIterable, CodingKeyRepresentable, Decodable {
    /// The button that leads to the store.
    case button
    /// The explanation of the copied link and its purpose.
    case note
    /// The word for a signature, which the note shows if the link contains one.
    case signature
    /// The second link, which copies nothing.
    case plain
    /// The message after copying.
    case copied
    /// The message after a tap that may have copied nothing.
    case failed
    /// The button that leads to Google Play.
    case play
    /// The explanation of what that button's address carries on Android.
    case playNote
    /// The statement that the visitor was invited, on a page for invitations.
    case invited
    /// The request to enter the code of the invitation in the app.
    case enter
    /// The statement that the site keeps the referrer, on a page that does.
    case kept
    /// The statement that the site counts views and taps, on a page that does.
    case counted
    /// The title above the QR code.
    case phone
    /// The instructions for the code.
    case scan
    /// The explanation of the missing code, if the page is opened as a file.
    case local
    /// The text alternative of the code.
    case code
    /// An optional sentence below the name.
    case tagline
    /// The language's own name, on a page in several languages. If it is missing, the tag is shown.
    case language

    /// The languages of the translations.
    static var languages: [String] { translations.keys.sorted() }

    /// The sentences in each language, from `web/landing-sentences.json`.
    static let translations: [String: [PageSentence: String]] = {
        let file = Data(String(cString: WebFiles.landing_sentences_json).utf8)
        return (try? JSONDecoder().decode([String: [PageSentence: String]].self, from: file)) ?? [:]
    }()
}

import ReferralBridge

/// `referral-tool snippet`: the JavaScript for web pages.
enum SnippetCommand: Command {
    static let name = "snippet"

    static let help = """
        Prints the JavaScript that puts a referral link on the clipboard when somebody taps a link on a page.

        usage: referral-tool snippet [--format script|module|html] [--min] [--nonce N]

          --format script  a file for <script src="referral-bridge.js" defer>, as it is without the option
          --format module  an ES module that exports payload, link and copy
          --format html    a <script> element to paste into a page
          --min            the minified script, under a kilobyte when it is sent
          --nonce N        the element's nonce, for a page with a Content-Security-Policy; with html alone

        example: referral-tool snippet --format html --min

        The page's links then name who sends people:
        <a href="https://apps.apple.com/app/id1300230302" data-referrer="spring-newsletter">Get the app</a>

        """

    static let options: [Option] = [.value("--format"), .flag("--min"), .value("--nonce")]

    static func run(_ arguments: Arguments) throws(ToolError) -> ExitStatus {
        try arguments.expectNoStrings()
        let nonceForm = "a nonce is letters, digits and + / - _, then at most two ="
        let nonce = try arguments.read("--nonce", nonceForm, CopySnippet.Nonce.init)
        let format = arguments["--format"] ?? "script"
        let forms: [String: CopySnippet.Format] = ["script": .script, "module": .module, "html": .html(nonce: nonce)]
        guard let form = forms[format] else {
            let suggestion = Spelling.suggestion(for: format, among: ["script", "module", "html"])
            throw .value(format, of: "--format", "the formats are script, module and html\(suggestion)")
        }
        guard nonce == nil || format == "html" else { throw .usage("--nonce goes with --format html alone") }
        try ByteStream.output.write(CopySnippet(format: form, isMinified: arguments.contains("--min")).source)
        return .done
    }
}

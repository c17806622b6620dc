import WebFiles

/// `referral-tool snippet`: prints the JavaScript for web pages.
enum SnippetCommand: Command {
    private enum Format: String, CaseIterable { case script, module, html }

    private static let format = Option<Format>(
        "--format",
        "FORMAT",
        """
        script, a file for <script src="referral-bridge.js" defer>, which is the default; module, an ES module that \
        exports payload, link and copy; or html, a <script> element to paste into a page
        """
    )
    private static let minified = Flag("--min", "the minified script, at most 1,024 bytes when compressed with gzip")
    private static let keep = Flag(
        "--keep",
        """
        for a site of several pages or with a router: adds a script that keeps the referrer of an address while the tab is \
        open, in the session storage, for links with data-referrer-from and data-referrer-keep
        """
    )
    private static let tokenFromReferrer = Flag(
        "--ct-from-referrer",
        """
        adds a script for links with data-referrer-ct whose address has a pt: at the tap, the address gets the referrer as its \
        ct, so that App Store Connect counts each referrer
        """
    )
    private static let nonce = Option(
        "--nonce",
        "N",
        "with html: the element's nonce, for a page with a Content-Security-Policy",
        form: "a nonce has letters, digits and + / - _, followed by at most two =",
        parse: CopySnippet.Nonce.init
    )

    static let name = "snippet"
    static let summary = "prints the JavaScript for web pages"
    static let overview =
        "Prints the JavaScript that puts a referral link on the clipboard when somebody taps a link on a page."
    static let usages: [[Usage]] = [Usage.optional(format, minified, keep, tokenFromReferrer, nonce)]
    static let notes = """
        The page's links then name their referrer:

          <a href="https://apps.apple.com/app/id1300230302" data-referrer="anna">Get</a>
        """
    static let example = "referral-tool snippet --format html --min"

    static func run(_ arguments: Arguments) throws(ToolError) -> ExitStatus {
        try arguments.expectNoOperands()
        let nonce = try arguments.value(of: nonce)
        let format = try arguments.value(of: format) ?? .script
        guard nonce == nil || format == .html else { throw .usage("--nonce requires --format html") }
        let isMinified = arguments.contains(minified)
        var script = isMinified ? CopySnippet().source : String(cString: referral_bridge_js)
        // The element of the example in its comment would end the one around it.
        if format == .html {
            for tag in ["script", "/script"] { script.replace("<" + tag, with: "\\x3C" + tag) }
        }
        // At a tap, the first one writes the address that the second one reads.
        if arguments.contains(keep) { script += String(cString: isMinified ? referral_keep_min_js : referral_keep_js) }
        if arguments.contains(tokenFromReferrer) {
            script += String(cString: isMinified ? referral_ct_min_js : referral_ct_js)
        }
        let snippet = CopySnippet(
            format: format == .html ? .html(nonce: nonce) : format == .module ? .module : .script
        )
        try ByteStream.output.write(snippet.formatted(script))
        return .done
    }
}

import Foundation
import ReferralBridge
import Testing

struct CopySnippetTests {
    private func web(_ file: String) throws -> String {
        let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../web")
        return try String(contentsOf: root.appending(path: file), encoding: .utf8)
    }

    @Test("the snippet is the file under web/, byte for byte")
    func script() throws {
        let script = CopySnippet().source
        #expect(try script == web("referral-bridge.min.js"))
        #expect(
            CopySnippet(format: .module).source
                == script + "export const { payload, link, copy } = globalThis.ReferralBridge;\n"
        )
    }

    @Test("nothing inside of the element ends it or changes how it is read")
    func html() throws {
        let element = CopySnippet(format: .html(nonce: nil)).source
        let lines = element.split(separator: "\n", omittingEmptySubsequences: false)
        #expect(lines.prefix(2) == ["<script>", "//<![CDATA["])
        #expect(lines.suffix(3) == ["//]]>", "</script>", ""])
        let script = lines.dropFirst(2).dropLast(3).joined(separator: "\n") + "\n"
        for mark in ["<!--", "<script", "</script", "]]>"] { #expect(!script.lowercased().contains(mark), "\(mark)") }
        #expect(script == CopySnippet().source)
    }

    @Test("a nonce is what a policy can contain", arguments: ["abc", "AZaz09+/-_", "YQ==", "YWI="])
    func nonce(_ text: String) throws {
        let nonce = try #require(CopySnippet.Nonce(text))
        #expect(CopySnippet(format: .html(nonce: nonce)).source.hasPrefix("<script nonce=\"\(text)\">\n"))
    }

    @Test("and nothing else", arguments: ["", "=", "a===", "a=b", "a b", "\"", "a\"><b", "é", "a\n"])
    func noNonce(_ text: String) {
        #expect(CopySnippet.Nonce(text) == nil)
    }
}

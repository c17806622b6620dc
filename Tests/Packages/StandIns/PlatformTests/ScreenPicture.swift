import Foundation
import SwiftUI

/// A picture of a screen, in the characters of a text and as a page for a browser.
struct ScreenPicture {
    private let language: String
    private let catalogs: [StringCatalog]
    private let drawings: [Drawing]

    /// Draws the sheet in front and the alert on it, as a person sees them, up to the section with a title.
    @MainActor
    init(_ rendering: Rendering, upTo title: String?, in language: String, _ catalogs: [StringCatalog]) {
        self.language = language
        self.catalogs = catalogs
        drawings = Self.front(of: rendering.drawings).map { Self.part(of: $0, upTo: title) }
    }

    // MARK: Text

    private static let width = 44

    var text: String {
        let line = String(repeating: "─", count: Self.width + 2)
        let lines = lines(of: drawings, Self.width)
        let rows = lines.map { "│ \(Self.padded($0, Self.width)) │\n" }
        return "╭\(line)╮\n" + rows.joined() + "╰\(line)╯\n"
    }

    private func lines(of drawings: [Drawing], _ width: Int) -> [String] { drawings.flatMap { lines(of: $0, width) } }

    private func lines(of drawing: Drawing, _ width: Int) -> [String] {
        switch drawing {
        case .spacer: return []
        case .bar(let fraction):
            let done = Int(Double(width) * fraction)
            return [String(repeating: "█", count: done) + String(repeating: "░", count: width - done)]
        case .image(let name): return [Self.symbols[name] ?? "▨ \(name)"]
        case .text(let sentence): return Self.wrapped(translation(of: sentence), width)
        case .group(let kind, let parts):
            switch kind {
            case .header: return lines(of: parts, width)
            case .section: return boxed(parts, width, "┌─┐│└┘")
            case .alert, .system: return boxed(parts + (kind == .alert ? [Self.ok] : []), width, "╔═╗║╚╝")
            case .row, .label: return row(parts, width)
            case .button, .field:
                let inner = lines(of: parts, width - 2).joined(separator: "\n")
                let isSymbol = Self.symbols.values.contains(inner)
                return isSymbol ? [inner] : "[\(inner)]".components(separatedBy: "\n")
            case .disabled:
                return lines(of: parts, width).map { $0.replacing("[", with: "(").replacing("]", with: ")") }
            case .link: return lines(of: parts, width - 2).map { "\($0) ↗" }
            case .progress:
                let hasBar = parts.contains { part in if case .bar = part { true } else { false } }
                return hasBar ? lines(of: parts, width) : lines(of: parts, width - 2).map { "◌ \($0)" }
            case .picture: return lines(of: parts, width - 2).map { "▨ \($0)" }
            case .list, .column, .headline, .secondary, .sheet: return lines(of: parts, width)
            }
        }
    }

    private func boxed(_ parts: [Drawing], _ width: Int, _ edges: String) -> [String] {
        let edges = edges.map(String.init)
        let line = String(repeating: edges[1], count: width - 2)
        let lines = lines(of: parts, width - 4).map { "\(edges[3]) \(Self.padded($0, width - 4)) \(edges[3])" }
        return lines.isEmpty ? [] : [edges[0] + line + edges[2]] + lines + [edges[4] + line + edges[5]]
    }

    /// Parts beside each other: what is behind a spacer is as wide as it has to be, and the rest has the other columns.
    private func row(_ parts: [Drawing], _ width: Int) -> [String] {
        let isText = { (part: Drawing) in if case .group(.column, _) = part { true } else { false } }
        let narrow = parts.filter { !isText($0) }.map { lines(of: $0, width / 2) }.filter { !$0.isEmpty }
        let left = width - narrow.reduce(0) { $0 + 1 + ($1.map(\.count).max() ?? 0) }
        var columns = parts.map { part in
            isText(part) ? lines(of: part, left).map { Self.padded($0, left) } : lines(of: part, width / 2)
        }
        columns.removeAll(where: \.isEmpty)
        let widths = columns.map { $0.map(\.count).max() ?? 0 }
        return (0..<(columns.map(\.count).max() ?? 0)).map { index in
            zip(columns, widths).map { Self.padded($0.indices.contains(index) ? $0[index] : "", $1) }.joined(
                separator: " "
            )
        }
    }

    private static let symbols = [
        "info.circle": "ⓘ", "checkmark": "✓", "xmark": "✗", "ellipsis.circle": "…", "hourglass": "⧗",
        "shippingbox": "▣", "arrow.down.app": "⇩", "wifi.slash": "⚠", "square.and.arrow.up": "⇪",
    ]

    /// The system's button.
    private static let ok = Drawing.group(.button, [.text(.init(verbatim: "OK"))])

    private static func padded(_ line: String, _ width: Int) -> String {
        line + String(repeating: " ", count: max(0, width - line.count))
    }

    private static func wrapped(_ text: String, _ width: Int) -> [String] {
        text.split(separator: " ").reduce(into: []) { lines, word in
            if let last = lines.last, last.count + 1 + word.count <= width {
                lines[lines.count - 1] += " \(word)"
            } else {
                lines.append(String(word))
            }
        }
    }

    // MARK: A page

    var page: String {
        """
        <!doctype html><meta charset="utf-8"><meta name="viewport" content="width=device-width"><style>
        body { font: 17px system-ui; background: #f2f2f7; margin: 48px 16px }
        .section { background: #fff; border-radius: 10px; margin-bottom: 24px }
        .section > * { padding: 11px 16px; border-bottom: 1px solid #ddd }
        .header { padding: 6px 16px; color: #666; font-size: 13px; text-transform: uppercase }
        .row, .label { display: flex; align-items: center; gap: 8px }
        .space { flex: 1 }
        progress { width: 100% }
        .headline { font-weight: 600 }
        .secondary { color: #666; font-size: 15px }
        .button, .link { color: #007aff }
        .field { background: #f2f2f7; border-radius: 8px; padding: 7px 10px }
        .picture { width: 180px; height: 180px; border: 8px dotted #000; box-sizing: border-box }
        .row .button:not(:has(i)) { background: #e9e9eb; border-radius: 8px; padding: 7px 10px }
        .disabled { opacity: .4 }
        .alert, .system { position: fixed; left: 60px; right: 60px; top: 300px; padding: 20px; background: #fff;
            border-radius: 14px; text-align: center; box-shadow: 0 0 0 999px #0003 }
        </style>
        """ + html(of: drawings)
    }

    private func html(of drawings: [Drawing]) -> String { drawings.map(html(of:)).joined() }

    private func html(of drawing: Drawing) -> String {
        switch drawing {
        case .spacer: "<div class=space></div>"
        case .bar(let fraction): "<progress value=\(fraction)></progress>"
        case .image(let name): "<i>\(Self.symbols[name] ?? "▨ \(name)")</i>"
        case .text(let sentence): "<div>\(translation(of: sentence))</div>"
        case .group(.alert, let parts): "<div class=alert>\(html(of: parts + [Self.ok]))</div>"
        case .group(let kind, let parts): "<div class=\(kind)>\(html(of: parts))</div>"
        }
    }

    // MARK: What is seen

    /// What is in front of everything else: the last sheet that is open, and what the system shows on it.
    private static func front(of drawings: [Drawing]) -> [Drawing] {
        sheet(in: drawings).map(front(of:)) ?? drawings
    }

    private static func sheet(in drawings: [Drawing]) -> [Drawing]? {
        for case .group(let kind, let parts) in drawings.reversed() {
            if let sheet = kind == .sheet ? parts : sheet(in: parts) { return sheet }
        }
        return nil
    }

    private static func part(of drawing: Drawing, upTo title: String?) -> Drawing {
        guard case .group(.list, let parts) = drawing else { return drawing }
        let part = parts.prefix { part in
            guard case .group(.header, let header) = part, case .text(let sentence) = header.first else { return true }
            return title == nil || sentence.key != title
        }
        return .group(.list, Array(part))
    }

    private func translation(of sentence: Drawing.Sentence) -> String {
        guard let key = sentence.key else {
            // The app has looked it up, and without a catalog it got the key.
            return catalogs.lazy.compactMap { $0.text(sentence.text, in: language) }.first ?? sentence.text
        }
        // A sentence that isn't in the catalog must be seen.
        return catalogs.lazy.compactMap { $0.text(sentence, in: language) }.first ?? "?? \(key)"
    }
}

/// The color of a page's button and links, and of the text on the button, in light and in dark mode.
///
/// Every pair has a contrast of at least 4.5, as criterion 1.4.3 of WCAG 2.2 requires.
struct PageAccent {
    private static let minimumContrast = 4.5

    /// The background colors of links in `pages.css`: a page and a card, in light and in dark mode.
    private static let light = [Color(0xF7F5EF), Color(0xFFFFFF)]
    private static let dark = [Color(0x12191B), Color(0x1A2326)]

    let style: String

    enum Problem: Error {
        case notAColor
        /// The contrast is too low. `darker` is a valid shade. Contrasts are in tenths.
        case tooLight(contrast: Double, darker: String)
    }

    /// Checks a color, and finds a shade of it for dark mode.
    ///
    /// - Parameter text: `#0b6157` or `#fa0`.
    /// - Throws: ``Problem``.
    init(_ text: String) throws(Problem) {
        guard let color = Color(text) else { throw .notAColor }
        let lightColor = Self.shade(color, toward: Color(0), on: Self.light)
        guard lightColor == color else {
            let contrast = Self.light.map(color.contrast).min() ?? 0
            throw .tooLight(contrast: (contrast * 10).rounded(.down) / 10, darker: lightColor.text)
        }
        let darkColor = Self.shade(color, toward: Color(0xFFFFFF), on: Self.dark)
        style =
            ":root{--accent:\(color.text);--on-accent:\(Self.text(on: color))}"
            + "@media(prefers-color-scheme:dark){:root{--accent:\(darkColor.text);--on-accent:\(Self.text(on: darkColor))}}"
    }

    /// The first shade of a color, in steps of a 64th, with enough contrast.
    private static func shade(_ color: Color, toward end: Color, on grounds: [Color]) -> Color {
        for step in 0..<64 {
            let shade = color.mixed(with: end, step)
            if grounds.allSatisfy({ $0.contrast(with: shade) >= minimumContrast }) { return shade }
        }
        return end
    }

    private static func text(on color: Color) -> String {
        let (white, black) = (Color(0xFFFFFF), Color(0))
        return white.contrast(with: color) >= minimumContrast ? white.text : black.text
    }
}

private struct Color: Equatable {
    /// Red, green and blue, from 0 to 255.
    let parts: [Int]

    init(parts: [Int]) { self.parts = parts }

    init(_ number: Int) { parts = [number >> 16, number >> 8 & 0xFF, number & 0xFF] }

    init?(_ text: String) {
        let digits = text.utf8.compactMap { Character(UnicodeScalar($0)).hexDigitValue }
        guard text.utf8.first == ASCII.hash, digits.count == text.utf8.count - 1 else { return nil }
        switch digits.count {
        case 3: parts = digits.map { $0 * 17 }
        case 6: parts = stride(from: 0, to: 6, by: 2).map { digits[$0] * 16 + digits[$0 + 1] }
        default: return nil
        }
    }

    var text: String { "#" + parts.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined() }

    func mixed(with other: Color, _ step: Int) -> Color {
        Color(parts: zip(parts, other.parts).map { ($0 * (64 - step) + $1 * step) / 64 })
    }

    /// The contrast of two colors, from 1 to 21, by WCAG 2.2.
    func contrast(with other: Color) -> Double {
        let (first, second) = (luminance, other.luminance)
        return (max(first, second) + 0.05) / (min(first, second) + 0.05)
    }

    private var luminance: Double {
        let linear = parts.map { part in
            let value = Double(part) / 255
            return value <= 0.04045 ? value / 12.92 : Self.power((value + 0.055) / 1.055)
        }
        return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
    }

    /// Raises a number from 0.08 to 1 to the power of 2.4: the fifth root of its twelfth power, by Newton's method. It
    /// converges from above, and is exact after 40 steps.
    private static func power(_ base: Double) -> Double {
        let third = base * base * base
        let twelfth = third * third * third * third
        return (0..<40).reduce(1.0) { root, _ in root - (root - twelfth / (root * root * root * root)) / 5 }
    }
}

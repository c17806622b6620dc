import ReferralBridge

/// The content that an SVG may have: only content that draws. Everything else is rejected, including future additions
/// to SVG.
enum SVGRules {
    /// The elements.
    static let elements = words(
        """
        circle clipPath defs desc ellipse feBlend feColorMatrix feComponentTransfer feComposite feConvolveMatrix
        feDiffuseLighting feDisplacementMap feDistantLight feDropShadow feFlood feFuncA feFuncB feFuncG feFuncR
        feGaussianBlur feImage feMerge feMergeNode feMorphology feOffset fePointLight feSpecularLighting feSpotLight feTile
        feTurbulence filter g image line linearGradient marker mask metadata path pattern polygon polyline radialGradient
        rect stop style svg switch symbol text textPath title tspan use
        """
    )

    /// Attributes whose text isn't interpreted.
    static let textAttributes = words(
        """
        aria-describedby aria-hidden aria-label aria-labelledby baseProfile class data-name focusable id lang role version
        xml:lang xml:space
        """
    )

    /// Attributes that draw, in addition to the properties.
    static let attributes = words(
        """
        amplitude azimuth baseFrequency bias clipPathUnits cx cy d diffuseConstant divisor dx dy edgeMode elevation exponent
        filterRes filterUnits fr fx fy gradientTransform gradientUnits height in in2 intercept k1 k2 k3 k4 kernelMatrix
        kernelUnitLength lengthAdjust limitingConeAngle markerHeight markerUnits markerWidth maskContentUnits maskUnits
        method mode numOctaves offset operator order orient pathLength patternContentUnits patternTransform patternUnits
        points pointsAtX pointsAtY pointsAtZ preserveAlpha preserveAspectRatio primitiveUnits r radius refX refY result
        rotate rx ry scale seed side slope spacing specularConstant specularExponent spreadMethod startOffset stdDeviation
        stitchTiles surfaceScale tableValues targetX targetY textLength type values viewBox width x x1 x2 xChannelSelector y
        y1 y2 yChannelSelector z zoomAndPan
        """
    )

    /// The properties of CSS, which are attributes too.
    static let properties = words(
        """
        -inkscape-font-specification -inkscape-stroke alignment-baseline baseline-shift clip clip-path clip-rule color
        color-interpolation color-interpolation-filters color-rendering direction display dominant-baseline
        enable-background fill fill-opacity fill-rule filter flood-color flood-opacity font font-family
        font-feature-settings font-kerning font-size font-size-adjust font-stretch font-style font-variant
        font-variant-alternates font-variant-caps font-variant-east-asian font-variant-ligatures font-variant-numeric
        font-variant-position font-variation-settings font-weight glyph-orientation-horizontal glyph-orientation-vertical
        height image-rendering isolation kerning letter-spacing lighting-color line-height marker marker-end marker-mid
        marker-start mask mask-type mix-blend-mode opacity overflow paint-order pointer-events shape-inside shape-padding
        shape-rendering solid-color solid-opacity stop-color stop-opacity stroke stroke-dasharray stroke-dashoffset
        stroke-linecap stroke-linejoin stroke-miterlimit stroke-opacity stroke-width text-align text-anchor text-decoration
        text-decoration-color text-decoration-line text-decoration-style text-decoration-thickness text-indent
        text-orientation text-rendering text-transform transform transform-box transform-origin unicode-bidi vector-effect
        visibility white-space width word-spacing writing-mode
        """
    )

    /// The functions of CSS, in lower case. Any other could load something.
    static let functions = words(
        """
        blur brightness calc circle color contrast drop-shadow ellipse grayscale hsl hsla hue-rotate hwb inset invert lab
        lch matrix oklab oklch opacity path polygon rgb rgba rotate saturate scale scalex scaley sepia skew skewx skewy
        translate translatex translatey
        """
    )

    static let namespaces = [
        "xmlns": "http://www.w3.org/2000/svg",
        "xmlns:svg": "http://www.w3.org/2000/svg",
        "xmlns:xlink": "http://www.w3.org/1999/xlink",
    ]

    static let entities = ["amp": "&", "lt": "<", "gt": ">", "quot": "\"", "apos": "'"]

    /// The address of each document type.
    static let documentTypes = [
        "-//W3C//DTD SVG 20010904//EN": "http://www.w3.org/TR/2001/REC-SVG-20010904/DTD/svg10.dtd",
        "-//W3C//DTD SVG 1.0//EN": "http://www.w3.org/TR/2001/REC-SVG-20010904/DTD/svg10.dtd",
        "-//W3C//DTD SVG 1.1//EN": "http://www.w3.org/Graphics/SVG/1.1/DTD/svg11.dtd",
        "-//W3C//DTD SVG 1.1 Basic//EN": "http://www.w3.org/Graphics/SVG/1.1/DTD/svg11-basic.dtd",
        "-//W3C//DTD SVG 1.1 Tiny//EN": "http://www.w3.org/Graphics/SVG/1.1/DTD/svg11-tiny.dtd",
    ]

    private static func words(_ text: String) -> Set<String> {
        Set(text.split(whereSeparator: \.isWhitespace).map(String.init))
    }
}

// MARK: Values

extension SVGRules {
    /// Whether the address stays in the picture: an embedded image, or a part of the same picture.
    static func isAddress(_ text: ArraySlice<UInt8>, of element: String) -> Bool {
        guard element == "image" || element == "feImage" else {
            return text.first == ASCII.hash && text.count > 1 && text.dropFirst().allSatisfy(isFragment)
                && !text.contains { [ASCII.lessThan, ASCII.greaterThan, ASCII.backslash].contains($0) }
        }
        let start = ["png", "jpeg", "webp", "gif"].map { "data:image/\($0);base64," }.first {
            text.starts(with: $0.utf8)
        }
        guard let start else { return false }
        return text.dropFirst(start.utf8.count).allSatisfy { byte in
            ASCII.isLetter(byte) || ASCII.isDigit(byte) || byte == ASCII.plus || byte == ASCII.slash
                || byte == ASCII.equals
                || isSpace(byte)
        }
    }

    /// Whether a value of CSS or of an attribute contains nothing but keywords, numbers, strings, and functions that load
    /// nothing.
    static func isPlain(_ text: ArraySlice<UInt8>) -> Bool {
        guard !text.contains(where: { "\\@{}<>;".utf8.contains($0) }), text.firstRange(of: "/*".utf8) == nil else {
            return false
        }
        var rest = text
        while let byte = rest.first {
            if byte == ASCII.quote || byte == ASCII.apostrophe {
                let string = rest.dropFirst().prefix { $0 != byte }
                guard string.endIndex < rest.endIndex, !string.contains(where: { "\"'()\r\n\u{C}".utf8.contains($0) })
                else {
                    return false
                }
                rest = rest[(string.endIndex + 1)...]
            } else if byte == UInt8(ascii: "(") {
                let name = text[..<rest.startIndex].reversed().prefix(while: isWord).reversed()
                let function = String(decoding: name.map(ASCII.lowercased), as: UTF8.self)
                if function == "url" {
                    guard let end = endOfFragment(rest) else { return false }
                    rest = rest[end...]
                } else {
                    guard functions.contains(function) else { return false }
                    rest.removeFirst()
                }
            } else {
                rest.removeFirst()
            }
        }
        return true
    }

    /// The invalid property in the declarations of a rule.
    static func fault(ofDeclarations text: ArraySlice<UInt8>) -> String? {
        for declaration in text.split(separator: ASCII.semicolon) {
            let declaration = trimmed(declaration)
            guard !declaration.isEmpty else { continue }
            let property = declaration.prefix { $0 != ASCII.colon }
            let name = String(decoding: trimmed(property).map(ASCII.lowercased), as: UTF8.self)
            let isAllowed =
                properties.contains(name) && property.endIndex < declaration.endIndex
                && isPlain(declaration[(property.endIndex + 1)...])
            guard isAllowed else { return name }
        }
        return nil
    }

    /// The invalid property or selector in a style sheet.
    static func fault(ofSheet text: ArraySlice<UInt8>) -> String? {
        var rules = text.split(separator: ASCII.closeBrace, omittingEmptySubsequences: false)
        let rest = trimmed(rules.removeLast())
        for rule in rules {
            let parts = rule.split(separator: ASCII.openBrace, omittingEmptySubsequences: false)
            let selector = trimmed(parts[0])
            let isPlain = selector.allSatisfy { isWord($0) || isSpace($0) || ".#,*>+~:".utf8.contains($0) }
            guard parts.count == 2, isPlain, !selector.isEmpty else { return String(decoding: selector, as: UTF8.self) }
            if let fault = fault(ofDeclarations: parts[1]) { return fault }
        }
        return rest.isEmpty ? nil : String(decoding: rest, as: UTF8.self)
    }

    /// XML's white space.
    static func isSpace(_ byte: UInt8) -> Bool {
        byte == ASCII.space || byte == ASCII.tab || byte == ASCII.carriageReturn || byte == ASCII.lineFeed
    }

    /// A letter, a digit, `_` or `-`.
    static func isWord(_ byte: UInt8) -> Bool {
        ASCII.isLetter(byte) || ASCII.isDigit(byte) || byte == UInt8(ascii: "_") || byte == ASCII.dash
    }

    private static func isFragment(_ byte: UInt8) -> Bool { !isSpace(byte) && !"\"'()".utf8.contains(byte) }

    /// The end of `(#id)`, with or without quotation marks.
    private static func endOfFragment(_ text: ArraySlice<UInt8>) -> Int? {
        var rest = text.dropFirst().drop(while: isSpace)
        let quote = rest.first.flatMap { $0 == ASCII.quote || $0 == ASCII.apostrophe ? $0 : nil }
        if quote != nil { rest.removeFirst() }
        guard rest.popFirst() == ASCII.hash else { return nil }
        let name = rest.prefix(while: isFragment)
        rest = rest[name.endIndex...]
        guard !name.isEmpty, quote == nil || rest.popFirst() == quote else { return nil }
        rest = rest.drop(while: isSpace)
        return rest.popFirst() == UInt8(ascii: ")") ? rest.startIndex : nil
    }

    private static func trimmed(_ text: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        let text = text.drop(while: isSpace)
        return text[..<(text.lastIndex { !isSpace($0) }.map { $0 + 1 } ?? text.startIndex)]
    }
}

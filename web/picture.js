/*
 * Picture says whether a file may be a page's icon, by the rules of `referral-tool page --icon`.
 *
 *   Picture.type(bytes)     → 'image/png', 'image/jpeg', 'image/webp', 'image/svg+xml', or null
 *   Picture.problem(bytes)  → null, or { kind, line, name, reason }
 *
 * An SVG is a document. As the image of a page it runs no scripts, but people may open it by itself, where it would. So only
 * what draws is allowed, by name, and only XML that can be read in one way. Works as a script and as a module.
 */
{
  // 256 by 256 pixels are enough for any screen.
  const MAXIMUM_SIZE = 262144;
  const MAXIMUM_DEPTH = 128;

  const words = text => new Set(text.trim().split(/\s+/));

  const ELEMENTS = words(`
    circle clipPath defs desc ellipse feBlend feColorMatrix feComponentTransfer feComposite feConvolveMatrix feDiffuseLighting
    feDisplacementMap feDistantLight feDropShadow feFlood feFuncA feFuncB feFuncG feFuncR feGaussianBlur feImage feMerge
    feMergeNode feMorphology feOffset fePointLight feSpecularLighting feSpotLight feTile feTurbulence filter g image line
    linearGradient marker mask metadata path pattern polygon polyline radialGradient rect stop style svg switch symbol text
    textPath title tspan use`);

  // Text that nothing interprets.
  const TEXT_ATTRIBUTES = words(`
    aria-describedby aria-hidden aria-label aria-labelledby baseProfile class data-name focusable id lang role version xml:lang
    xml:space`);

  const ATTRIBUTES = words(`
    amplitude azimuth baseFrequency bias clipPathUnits cx cy d diffuseConstant divisor dx dy edgeMode elevation exponent
    filterRes filterUnits fr fx fy gradientTransform gradientUnits height in in2 intercept k1 k2 k3 k4 kernelMatrix
    kernelUnitLength lengthAdjust limitingConeAngle markerHeight markerUnits markerWidth maskContentUnits maskUnits method mode
    numOctaves offset operator order orient pathLength patternContentUnits patternTransform patternUnits points pointsAtX
    pointsAtY pointsAtZ preserveAlpha preserveAspectRatio primitiveUnits r radius refX refY result rotate rx ry scale seed side
    slope spacing specularConstant specularExponent spreadMethod startOffset stdDeviation stitchTiles surfaceScale tableValues
    targetX targetY textLength type values viewBox width x x1 x2 xChannelSelector y y1 y2 yChannelSelector z zoomAndPan`);

  // Attributes too.
  const PROPERTIES = words(`
    -inkscape-font-specification -inkscape-stroke alignment-baseline baseline-shift clip clip-path clip-rule color
    color-interpolation color-interpolation-filters color-rendering direction display dominant-baseline enable-background fill
    fill-opacity fill-rule filter flood-color flood-opacity font font-family font-feature-settings font-kerning font-size
    font-size-adjust font-stretch font-style font-variant font-variant-alternates font-variant-caps font-variant-east-asian
    font-variant-ligatures font-variant-numeric font-variant-position font-variation-settings font-weight
    glyph-orientation-horizontal glyph-orientation-vertical height image-rendering isolation kerning letter-spacing
    lighting-color line-height marker marker-end marker-mid marker-start mask mask-type mix-blend-mode opacity overflow
    paint-order pointer-events shape-inside shape-padding shape-rendering solid-color solid-opacity stop-color stop-opacity
    stroke stroke-dasharray stroke-dashoffset stroke-linecap stroke-linejoin stroke-miterlimit stroke-opacity stroke-width
    text-align text-anchor text-decoration text-decoration-color text-decoration-line text-decoration-style
    text-decoration-thickness text-indent text-orientation text-rendering text-transform transform transform-box
    transform-origin unicode-bidi vector-effect visibility white-space width word-spacing writing-mode`);

  // In lower case. Any other could load something.
  const FUNCTIONS = words(`
    blur brightness calc circle color contrast drop-shadow ellipse grayscale hsl hsla hue-rotate hwb inset invert lab lch matrix
    oklab oklch opacity path polygon rgb rgba rotate saturate scale scalex scaley sepia skew skewx skewy translate translatex
    translatey`);

  const NAMESPACES = new Map([
    ['xmlns', 'http://www.w3.org/2000/svg'],
    ['xmlns:svg', 'http://www.w3.org/2000/svg'],
    ['xmlns:xlink', 'http://www.w3.org/1999/xlink'],
  ]);

  const ENTITIES = new Map([['amp', '&'], ['lt', '<'], ['gt', '>'], ['quot', '"'], ['apos', "'"]]);

  const PLAIN = 'export it as plain SVG';
  const REASONS = {
    empty: () => 'it is empty',
    tooLarge: count => `it has ${count} bytes, and an icon has at most ${MAXIMUM_SIZE}; 256 by 256 pixels are enough`,
    notAPicture: () => 'it is not a PNG, JPEG, WebP or SVG',
    encoding: () => 'it is not in UTF-8; save it as UTF-8',
    character: () => `it has a character that XML doesn't allow; ${PLAIN}`,
    malformed: () => `it isn't well-formed XML; ${PLAIN}`,
    instruction: () => `it has a processing instruction (<?); ${PLAIN}`,
    comment: () => 'a comment begins with > or contains --; remove it',
    section: () => `a CDATA section contains <; ${PLAIN}`,
    doctype: () => `its document type isn't one of SVG's own, or has declarations; ${PLAIN}`,
    entity: name => `the entity '${name}' isn't one of XML's own; ${PLAIN}`,
    namespace: name => `'${name}' isn't SVG but an editor's own; ${PLAIN}, in Illustrator without its editing capabilities`,
    element: name => `<${name}> isn't allowed, since an icon only draws; ${PLAIN}`,
    attribute: name => `the attribute '${name}' isn't allowed, since an icon only draws; ${PLAIN}`,
    address: name => `'${name}' leads out of the icon; use #id, or embed a PNG, JPEG, WebP or GIF image in base64`,
    value: name => `the value of '${name}' isn't a plain one; ${PLAIN}`,
    style: name => `its CSS isn't plain at '${name}'; use properties such as fill, without @, comments and escapes`,
    depth: () => `its elements are nested more than ${MAXIMUM_DEPTH} deep; ungroup some`,
  };

  const problem = (kind, line = null, name = null) => {
    const letters = Array.from(name ?? '');
    const shown = letters.length > 80 ? `${letters.slice(0, 80).join('')}…` : name;
    return { kind, line, name: shown, reason: `${line == null ? '' : `line ${line}: `}${REASONS[kind](shown)}` };
  };

  const startsWith = (bytes, text, offset = 0) => Array.from(text).every((letter, index) => bytes[offset + index] == letter.charCodeAt());

  const decode = bytes => {
    try {
      return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
    } catch {
      return null;
    }
  };

  const type = bytes => startsWith(bytes, '\x89PNG\r\n\x1a\n') ? 'image/png'
    : startsWith(bytes, '\xff\xd8\xff') ? 'image/jpeg'
    : startsWith(bytes, 'RIFF') && startsWith(bytes, 'WEBP', 8) ? 'image/webp'
    // Any other text may be an SVG.
    : bytes.length && decode(bytes) != null ? 'image/svg+xml' : null;

  // Other white space, and other letters, are none in XML and CSS.
  const lowercased = text => text.replace(/[A-Z]/g, letter => letter.toLowerCase());
  const trimmed = text => text.replace(/^[ \t\r\n]+|[ \t\r\n]+$/g, '');

  // Whether a value of CSS or of an attribute contains nothing but keywords, numbers, strings, and functions that load nothing.
  const isPlain = text => {
    if (/[\\@{}<>;]|\/\*/.test(text)) return false;
    let position = 0;
    while (position < text.length) {
      const letter = text[position];
      if (letter == '"' || letter == "'") {
        const end = text.indexOf(letter, position + 1);
        if (end < 0 || /["'()\r\n\f]/.test(text.slice(position + 1, end))) return false;
        position = end + 1;
      } else if (letter == '(') {
        let start = position;
        while (start > 0 && /[\w-]/.test(text[start - 1])) start -= 1;
        const name = lowercased(text.slice(start, position));
        if (name == 'url') {
          const fragment = /\([ \t\r\n]*(["']?)#[^ \t\r\n"'()]+\1[ \t\r\n]*\)/y;
          fragment.lastIndex = position;
          if (!fragment.test(text)) return false;
          position = fragment.lastIndex;
        } else {
          if (!FUNCTIONS.has(name)) return false;
          position += 1;
        }
      } else {
        position += 1;
      }
    }
    return true;
  };

  // The property at fault, or null.
  const faultOfDeclarations = text => {
    for (const declaration of text.split(';').map(trimmed)) {
      if (!declaration) continue;
      const [property] = declaration.split(':', 1);
      const name = lowercased(trimmed(property));
      if (!PROPERTIES.has(name) || property.length == declaration.length || !isPlain(declaration.slice(property.length + 1))) return name;
    }
    return null;
  };

  const faultOfSheet = text => {
    const rules = text.split('}');
    const rest = trimmed(rules.pop());
    for (const rule of rules) {
      const [selector, declarations, ...others] = rule.split('{');
      const name = trimmed(selector);
      if (declarations == null || others.length || !/^[\w\-.#,*>+~: \t\r\n]+$/.test(name)) return name;
      const fault = faultOfDeclarations(declarations);
      if (fault != null) return fault;
    }
    return rest ? rest : null;
  };

  const isAddress = (element, text) => element == 'image' || element == 'feImage'
    ? /^data:image\/(png|jpeg|webp|gif);base64,[A-Za-z\d+/= \t\r\n]*$/.test(text)
    : /^#[^ \t\r\n"'()<>\\]+$/.test(text);

  const DOCTYPES = new Map([
    ['-//W3C//DTD SVG 20010904//EN', 'http://www.w3.org/TR/2001/REC-SVG-20010904/DTD/svg10.dtd'],
    ['-//W3C//DTD SVG 1.0//EN', 'http://www.w3.org/TR/2001/REC-SVG-20010904/DTD/svg10.dtd'],
    ['-//W3C//DTD SVG 1.1//EN', 'http://www.w3.org/Graphics/SVG/1.1/DTD/svg11.dtd'],
    ['-//W3C//DTD SVG 1.1 Basic//EN', 'http://www.w3.org/Graphics/SVG/1.1/DTD/svg11-basic.dtd'],
    ['-//W3C//DTD SVG 1.1 Tiny//EN', 'http://www.w3.org/Graphics/SVG/1.1/DTD/svg11-tiny.dtd'],
  ]);

  const SPACE = /[ \t\r\n]*/y;
  const NAME = /[A-Za-z_][\w.-]*(?::[A-Za-z_][\w.-]*)?/y;

  // Throws a problem.
  const readSVG = text => {
    let position = 0;
    // The open elements, and whether the prefix xlink is declared in each.
    const open = [];

    const fail = (kind, name, at = position) => {
      throw problem(kind, text.slice(0, at).split('\n').length, name);
    };
    const isNext = start => text.startsWith(start, position);
    const take = pattern => {
      pattern.lastIndex = position;
      const found = pattern.exec(text);
      if (!found) fail('malformed');
      position = pattern.lastIndex;
      return found[0];
    };
    // Everything up to a text, which is skipped.
    const takeTo = end => {
      const found = text.indexOf(end, position);
      if (found < 0) fail('malformed');
      const taken = text.slice(position, found);
      position = found + end.length;
      return taken;
    };
    const takeQuoted = () => {
      const quote = text[position];
      if (quote != '"' && quote != "'") fail('malformed');
      position += 1;
      return takeTo(quote);
    };
    // Text with its references replaced.
    const expand = (raw, at) => raw.replace(/&([^;]*)(;?)/g, (_, name, end) => {
      if (!end) fail('malformed', null, at);
      const [, hexadecimal, decimal] = /^#(?:x([\dA-Fa-f]{1,6})|(\d{1,7}))$/.exec(name) ?? [];
      if (hexadecimal || decimal) {
        const code = hexadecimal ? parseInt(hexadecimal, 16) : Number(decimal);
        const isCharacter = code >= 0x20 && code < 0xd800 || [9, 10, 13].includes(code)
          || code >= 0xe000 && code < 0xfffe || code >= 0x10000 && code <= 0x10ffff;
        if (!isCharacter) fail('character', null, at);
        return String.fromCodePoint(code);
      }
      if (!ENTITIES.has(name)) fail('entity', name, at);
      return ENTITIES.get(name);
    });

    // XML's comment is everything up to the first -- after <!--, and HTML's isn't.
    const skipComment = () => {
      const start = position;
      position += 4;
      const isHTMLs = isNext('>') || isNext('->');
      takeTo('--');
      if (isHTMLs || !isNext('>')) fail('comment', null, start);
      position += 1;
    };

    const skipDeclaration = () => {
      const start = position;
      const form = /<\?xml[ \t\r\n]+version[ \t\r\n]*=[ \t\r\n]*(?:"1\.0"|'1\.0')(?:[ \t\r\n]+encoding[ \t\r\n]*=[ \t\r\n]*(?:"([^"]*)"|'([^']*)'))?(?:[ \t\r\n]+standalone[ \t\r\n]*=[ \t\r\n]*(?:"(?:yes|no)"|'(?:yes|no)'))?[ \t\r\n]*\?>/y;
      form.lastIndex = position;
      const found = form.exec(text);
      if (!found) fail('instruction');
      if (lowercased(found[1] ?? found[2] ?? 'utf-8') != 'utf-8') fail('encoding', null, start);
      position = form.lastIndex;
    };

    const skipDoctype = () => {
      const start = position;
      const form = /<!DOCTYPE[ \t\r\n]+svg(?:[ \t\r\n]+PUBLIC[ \t\r\n]+(?:"([^"]*)"|'([^']*)')[ \t\r\n]+(?:"([^"]*)"|'([^']*)'))?[ \t\r\n]*>/y;
      form.lastIndex = position;
      const found = form.exec(text);
      if (!found) fail('doctype');
      const [, double, single, address, other] = found;
      const name = double ?? single;
      if (name != null && DOCTYPES.get(name) != (address ?? other)) fail('doctype', null, start);
      position = form.lastIndex;
    };

    const checkAttribute = (element, name, value, hasXLink, at) => {
      if (NAMESPACES.has(name)) {
        if (value != NAMESPACES.get(name)) fail('namespace', name, at);
      } else if (name == 'href' || name == 'xlink:href') {
        if (name == 'xlink:href' && !hasXLink) fail('namespace', name, at);
        if (!isAddress(element, value)) fail('address', name, at);
      } else if (name == 'style') {
        const fault = faultOfDeclarations(value);
        if (fault != null) fail('style', fault, at);
      } else if (element == 'style' && name == 'type') {
        if (value != 'text/css') fail('value', name, at);
      } else if (ATTRIBUTES.has(name) || PROPERTIES.has(name)) {
        if (!isPlain(value)) fail('value', name, at);
      } else if (!TEXT_ATTRIBUTES.has(name)) {
        fail(name.includes(':') ? 'namespace' : 'attribute', name, at);
      }
    };

    const readStartTag = () => {
      const start = position;
      position += 1;
      const element = take(NAME);
      if (!open.length && !/(^|:)svg$/.test(element)) throw problem('notAPicture');
      if (element.includes(':')) fail('namespace', element, start);
      if (!ELEMENTS.has(element) || open[open.length - 1]?.element == 'style') fail('element', element, start);
      const attributes = new Map();
      while (true) {
        const space = take(SPACE);
        if (isNext('>') || isNext('/>')) break;
        if (!space) fail('malformed');
        const at = position;
        const name = take(NAME);
        take(SPACE);
        if (!isNext('=')) fail('malformed');
        position += 1;
        take(SPACE);
        const value = takeQuoted();
        if (value.includes('<') || attributes.has(name)) fail('malformed', null, at);
        attributes.set(name, { value: expand(value, at), at });
      }
      const hasXLink = attributes.has('xmlns:xlink') || Boolean(open[open.length - 1]?.hasXLink);
      for (const [name, { value, at }] of attributes) checkAttribute(element, name, value, hasXLink, at);
      // Without it no browser shows anything.
      if (!open.length && !attributes.has('xmlns')) fail('namespace', 'svg', start);
      if (isNext('/>')) {
        position += 2;
        return;
      }
      position += 1;
      if (open.length == MAXIMUM_DEPTH) fail('depth', null, start);
      open.push({ element, hasXLink, start, text: '' });
    };

    const readEndTag = () => {
      const start = position;
      position += 2;
      const element = take(NAME);
      take(SPACE);
      const last = open.pop();
      if (last.element != element || !isNext('>')) fail('malformed', null, start);
      position += 1;
      const fault = element == 'style' ? faultOfSheet(last.text) : null;
      if (fault != null) fail('style', fault, last.start);
    };

    const readContent = () => {
      const last = open[open.length - 1];
      if (isNext('<!--')) {
        if (last.element == 'style') fail('comment');
        skipComment();
      } else if (isNext('<![CDATA[')) {
        const start = position;
        position += 9;
        const section = takeTo(']]>');
        // HTML would read a tag in some elements.
        if (section.includes('<')) fail('section', null, start);
        last.text += section;
      } else if (isNext('<?')) {
        fail('instruction');
      } else if (isNext('</')) {
        readEndTag();
      } else if (isNext('<')) {
        readStartTag();
      } else {
        const start = position;
        const end = text.indexOf('<', position);
        if (end < 0) fail('malformed');
        position = end;
        const raw = text.slice(start, end);
        if (raw.includes(']]>')) fail('malformed', null, start);
        last.text += expand(raw, start);
      }
    };

    if (isNext('\ufeff')) position += 1;
    if (isNext('<?xml') && /[ \t\r\n]/.test(text[position + 5] ?? '')) skipDeclaration();
    let hasDoctype = false;
    let hasRoot = false;
    while (true) {
      take(SPACE);
      if (position == text.length && hasRoot) break;
      if (isNext('<!--')) {
        skipComment();
      } else if (isNext('<?')) {
        fail('instruction');
      } else if (isNext('<!DOCTYPE') && !hasDoctype && !hasRoot) {
        skipDoctype();
        hasDoctype = true;
      } else if (hasRoot) {
        fail('malformed');
      } else if (/^<[A-Za-z_]/.test(text.slice(position, position + 2))) {
        readStartTag();
        while (open.length) readContent();
        hasRoot = true;
      } else {
        throw problem('notAPicture');
      }
    }
  };

  // Also U+FFFE and U+FFFF.
  const FORBIDDEN = /[\0-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/;

  globalThis.Picture = {
    type,

    problem(bytes) {
      if (!bytes.length) return problem('empty');
      if (bytes.length > MAXIMUM_SIZE) return { ...problem('tooLarge', null, `${bytes.length}`), name: null };
      if (startsWith(bytes, '\xff\xfe') || startsWith(bytes, '\xfe\xff')) return problem('encoding');
      const found = type(bytes);
      if (!found) return problem('notAPicture');
      if (found != 'image/svg+xml') return null;
      const text = decode(bytes);
      const forbidden = text.search(FORBIDDEN);
      if (forbidden >= 0) return problem('character', text.slice(0, forbidden).split('\n').length);
      try {
        readSVG(text);
        return null;
      } catch (error) {
        if (!error.kind) throw error;
        return error;
      }
    },

    // Internal
    allowed: { elements: ELEMENTS, textAttributes: TEXT_ATTRIBUTES, attributes: ATTRIBUTES, properties: PROPERTIES, functions: FUNCTIONS },
  };
}

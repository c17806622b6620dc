// Text from outside for a page: at most 80 characters or the limit given, with an escape such as \u{202E} for each that a browser
// would act on instead of showing it: controls, line and paragraph separators, and bidirectional controls. The library's
// String.shown is the same. The builder and landing pages contain this.
globalThis.shownText = (text, limit = 80, marks = /[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/gu) => {
  // A character has at most two UTF-16 units.
  const letters = Array.from(text.slice(0, 2 * limit + 2));
  return letters.slice(0, limit).join('').replace(marks, mark => `\\u{${mark.codePointAt().toString(16).toUpperCase()}}`)
    + (letters.length > limit ? '…' : '');
};

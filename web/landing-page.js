/*
 * LandingPage makes a landing page, with the same bytes as `referral-tool page`.
 *
 *   await LandingPage.html({ address: 'https://apps.apple.com/app/id42', appID: '42', name: 'Trestle', languages: ['en'] }, parts)
 *     → '<!doctype html>…'
 *
 * The options are `address`, `appID`, `name`, `tagline`, `icon` and `image` (addresses), `referrer`, `from` (an item, or a path such as `/for/*`), `parameters`,
 * `handedOn` (names of items), `play` (a package), `clip` (a bundle identifier), `isForInvitations`, `keepsReferrer`,
 * `takesTokenFromReferrer`, `countTo` (an address), `languages` (tags),
 * `sentences` (by language and part) and `hasBanner`. The parts are the files that the page is made of, which the builder contains. An error is an Error with a message for users. Needs store-page.js, builder/rows.js and, for the
 * hashes in the page's policy, crypto.subtle.
 */
{
  // The sentences that a page needs in any language.
  const required = ({ play, isForInvitations, keepsReferrer, countTo }) => ['button', 'note', 'signature', 'plain', 'copied', 'failed',
    ...play == null ? [] : ['play', 'playNote'], ...isForInvitations ? ['invited', 'enter'] : [], ...keepsReferrer ? ['kept'] : [], ...countTo == null ? [] : ['counted', 'countedName'],
    'phone', 'scan', 'local', 'code'];
  const PARTS = [...required({ play: '', isForInvitations: true, keepsReferrer: true, countTo: '' }), 'tagline', 'language'];
  const escape = LinkRows.escapeHTML;

  // Whether text is visible and has no control characters.
  const isShown = text => !/^\p{White_Space}*$/u.test(text) && !/\p{Cc}/u.test(text);

  // {name} is replaced with a value, and {#name}…{/name} is kept only if there is one. Other braces are unchanged.
  const fill = (template, values) => {
    let filled = '';
    let rest = template;
    for (let open; (open = rest.indexOf('{')) >= 0;) {
      filled += rest.slice(0, open);
      rest = rest.slice(open);
      const [, sign, name] = /^\{([#/]?)([^{}]*)\}/.exec(rest) ?? [];
      if (name == null || !Object.hasOwn(values, name)) {
        filled += '{';
        rest = rest.slice(1);
        continue;
      }
      rest = rest.slice(sign.length + name.length + 2);
      if (!sign) filled += values[name] ?? '';
      else if (sign == '#' && values[name] == null) rest = rest.split(`{/${name}}`).slice(1).join(`{/${name}}`);
    }
    return filled + rest;
  };

  // Languages

  const RIGHT_TO_LEFT = {
    scripts: ['adlm', 'arab', 'aran', 'hebr', 'mand', 'nkoo', 'rohg', 'samr', 'syrc', 'thaa'],
    languages: ['ar', 'arc', 'azb', 'bal', 'ckb', 'dv', 'fa', 'he', 'iw', 'ji', 'ks', 'lrc', 'mzn', 'nqo', 'pnb', 'prs', 'ps', 'sd', 'skr', 'syr',
      'ug', 'ur', 'yi'],
  };

  const readLanguage = (tag, translations) => {
    if (!/^[a-z]{2,3}(-[a-z\d]{1,8})*$/i.test(tag)) throw Error('Enter tags such as de, pt-BR or zh-Hant, with commas between them.');
    const subtags = tag.toLowerCase().split('-');
    const script = subtags.slice(1).find(subtag => /^[a-z]{4}$/.test(subtag));
    const isUsually = RIGHT_TO_LEFT.languages.includes(subtags[0]);
    const isRightToLeft = script ? RIGHT_TO_LEFT.scripts.includes(script) : isUsually;
    const isTraditional = subtags[0] == 'zh' && ['hant', 'tw', 'hk', 'mo'].some(part => subtags.includes(part));
    return {
      tag,
      direction: isRightToLeft ? 'rtl' : 'ltr',
      // A script with the other direction needs other sentences.
      translation: isRightToLeft == isUsually ? translations[isTraditional ? 'zh-Hant' : subtags[0]] : undefined,
    };
  };

  const readLanguages = (text, translations) => {
    const languages = text.split(',').map(tag => readLanguage(tag.trim(), translations));
    if (new Set(languages.map(({ tag }) => tag.toLowerCase())).size < languages.length) throw Error('A language is named twice.');
    return languages;
  };

  // The page

  const hash = async text => {
    if (!globalThis.crypto?.subtle) throw Error('Open this page from an https:// address or from a file: only there can browsers compute the hashes that a landing page contains.');
    const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text));
    return `'sha256-${btoa(String.fromCharCode(...new Uint8Array(digest)))}'`;
  };
  const hashes = async texts => (await Promise.all(texts.map(hash))).join(' ');

  // The replacement for an icon: the name's first letter or digit, or its first character.
  const initial = name => {
    const characters = Array.from(new Intl.Segmenter('en').segment(name), ({ segment }) => segment);
    return characters.find(character => /^[\p{Alphabetic}\p{N}]/u.test(character)) ?? characters[0];
  };

  const isSignature = text => /^[\w-]{85}[AQgw]$/.test(text);
  // The end of a campaign as a day. An end that is thousands of years away is unchanged.
  const day = text => /^[1-9]\d{11,13}$/.test(text) ? new Date(+text).toISOString().slice(0, 10) : text;

  globalThis.LandingPage = {
    parts: PARTS,
    isShown,
    readLanguages,

    // The address of a picture, or an Error.
    checkImage(text) {
      if (!/^https:\/\/[^/ ][^ ]*$/.test(text) || !isShown(text)) throw Error('Enter an address that begins with https:// and a host, without spaces.');
      return text;
    },

    // The address to which the page reports views and taps, or an Error.
    checkCountAddress(text) {
      if (!/^(\/(?!\/)|https:\/\/[A-Za-z\d.-]+(:\d+)?(?=[/?]|$))[!"$-[\]-~]*$/.test(text)) {
        throw Error('Enter a path such as /tap, or an address that begins with https:// and a host. Escape spaces, # and \\ in it.');
      }
      return text;
    },

    // The app's package in Google Play, or an Error.
    checkPackage(text) {
      if (!/^[a-z]\w*(\.[a-z]\w*)+$/i.test(text)) throw Error('Enter a package such as com.example.trestle.');
      return text;
    },

    // The App Clip's bundle identifier, or an Error.
    checkBundle(text) {
      if (!/^[a-z\d-]+(\.[a-z\d-]+)+$/i.test(text) || text.length > 155) throw Error('Enter a bundle identifier such as com.example.trestle.Clip.');
      return text;
    },

    // A message about a missing or invalid sentence in a language, or ''. `labels` are the names of the fields.
    problem({ tag, translation }, given = {}, labels = {}, options = {}) {
      const missing = translation ? [] : required(options).filter(part => given[part] == null);
      if (missing.length) {
        return `The page has no sentences in ${tag} of its own. Choose ${tag} under “Shown in”, and write these: ${missing.map(part => labels[part] ?? part).join('; ')}.`;
      }
      if (given.note != null && !given.note.includes('{contents}')) return 'The note must show what is copied: add {contents}.';
      if (given.playNote != null && !given.playNote.includes('{contents}')) return 'The note must show what the link contains: add {contents}.';
      return Object.values(given).every(isShown) ? '' : 'A sentence is text without control characters.';
    },

    async html(options, { template, main, style, snippet, qr, keep, script, invitation, ct, count, translations }) {
      const { address, appID, name, tagline, icon, image = icon, referrer, from = 'via', parameters = {}, hasBanner } = options;
      const { handedOn = [], play, clip, isForInvitations, keepsReferrer, takesTokenFromReferrer, countTo } = options;
      const scripts = `\n${keepsReferrer ? keep : ''}${takesTokenFromReferrer ? ct : ''}${script}${isForInvitations ? invitation : ''}${countTo == null ? '' : count}`;
      const texts = readLanguages(options.languages, translations).map(({ tag, direction, translation }) =>
        ({ tag, direction, sentences: { ...translation, ...tagline == null ? {} : { tagline }, ...options.sentences?.[tag] } }));
      const names = Object.keys(parameters).sort();
      const attributes = [['data-referrer-from', from], ...keepsReferrer ? [['data-referrer-keep', '']] : [],
        ...takesTokenFromReferrer ? [['data-referrer-ct', '']] : [], ...countTo == null ? [] : [['data-count-to', countTo]], ...referrer == null ? [] : [['data-referrer', referrer]],
        ...handedOn.length ? [['data-referral-items', handedOn.join(' ')]] : [],
        ...names.map(key => [LinkRows.attributeName(key), parameters[key]])];
      const isSigned = isSignature(parameters.sig);
      const shown = names.filter(key => !isSigned || key != 'sig');
      const valueOf = key => isSigned && key == 'until' ? day(parameters[key]) : parameters[key];
      const title = ({ sentences }) => sentences.tagline == null ? name : `${name}: ${sentences.tagline}`;

      const contents = ({ sentences }) => [
        `<code><bdi id="referrer">${escape(referrer ?? '')}</bdi></code>`,
        ...shown.map(key => `<code><bdi>${escape(`${key}=${valueOf(key)}`)}</bdi></code>`),
        `<em id="signature"${isSigned ? '' : ' hidden'}>${escape(sentences.signature)}</em>`,
      ].join(' ');
      const content = (text, hasIcon) => {
        const values = {
          name: escape(name), tagline: text.sentences.tagline == null ? null : escape(text.sentences.tagline), address: escape(address),
          icon: hasIcon && icon != null ? escape(icon) : null, initial: hasIcon && icon == null ? escape(initial(name)) : null,
          play: play == null ? null : `https://play.google.com/store/apps/details?id=${play}`,
          invited: null, kept: null, counted: null,
          attributes: attributes.map(([name, value]) => `${name}="${escape(value)}"`).join(' '),
        };
        const sentence = (part, values) => {
          const shownName = ['copied', 'failed', 'code'].includes(part) ? escape(name) : `<bdi>${escape(name)}</bdi>`;
          return fill(escape(text.sentences[part]), { name: shownName, ...values });
        };
        const filled = {
          // On Android, the page's script moves the contents into the other note.
          note: { contents: play == null ? contents(text) : `<span id="contents">${contents(text)}</span>` },
          playNote: { contents: '<span id="play-contents"></span>' },
        };
        for (const part of required(options)) values[part == 'play' ? 'playButton' : part] = sentence(part, filled[part]);
        return fill(main, values);
      };

      const hasChoice = texts.length > 1;
      const alternates = [...texts.map(({ tag }) => [tag, `?lang=${tag}`]), ['x-default', '?']]
        .map(([tag, href]) => `  <link rel="alternate" hreflang="${tag}" href="${href}">\n`);
      const links = texts.map(({ tag, sentences }) =>
        `  <a href="?lang=${tag}" lang="${tag}" hreflang="${tag}">${escape(sentences.language ?? tag)}</a>\n`);
      const others = texts.slice(1).map(text =>
        `<template lang="${text.tag}" dir="${text.direction}" title="${escape(title(text))}">\n${content(text, false)}</template>\n`);
      const policy = `default-src 'none'; script-src ${await hashes([snippet, qr, scripts])}; style-src ${await hashes([style])}; `
        + (countTo == null ? '' : `connect-src ${countTo.startsWith('/') ? "'self'" : /^https:\/\/[^/?]*/.exec(countTo)[0]}; `)
        + "img-src data:; base-uri 'none'; form-action 'none'";
      return fill(template, {
        lang: texts[0].tag, direction: texts[0].direction, name: escape(name), title: escape(title(texts[0])),
        description: escape(texts[0].sentences.tagline ?? name), image: image == null ? null : escape(image),
        banner: hasBanner || clip != null ? [`app-id=${appID}`, ...clip == null ? [] : [`app-clip-bundle-id=${escape(clip)}`, 'app-clip-display=card']].join(', ') : null, policy, alternates: hasChoice ? alternates.join('') : '', style,
        snippet: `<script>${snippet}</script>\n`, main: content(texts[0], true),
        languages: hasChoice ? `<nav class="languages" id="languages">\n${links.join('')}</nav>\n${others.join('')}` : '', qr, script: scripts,
      });
    },
  };
}

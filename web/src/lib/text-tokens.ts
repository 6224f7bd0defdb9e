/** A part of a plain text that users wrote: text, a link, a mention or a timestamp. */
export type TextToken =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'link'; readonly text: string; readonly href: string }
  | { readonly kind: 'mention'; readonly text: string }
  | { readonly kind: 'time'; readonly text: string; readonly seconds: number };

const INTERESTING =
  /(https?:\/\/[^\s<>"]+)|(?<![\w@])@([A-Za-z0-9_][A-Za-z0-9_.-]{0,38})|(?<![\d:])((?:\d{1,2}:)?[0-5]?\d:[0-5]\d)(?![\d:])/g;

/**
 * Splits a text into tokens; joined they are the text. Only the given usernames are mentions, or all names that may be
 * handles where it is not known which exist.
 */
export function parseText(body: string, mentioned: readonly string[] | 'ANY'): readonly TextToken[] {
  const names = mentioned === 'ANY' ? null : new Set(mentioned.map((name) => name.toLowerCase()));
  const isMention = (name: string): boolean => (names ? names.has(name.toLowerCase()) : name.length > 1);
  const tokens: TextToken[] = [];
  const appendText = (text: string): void => {
    const last = tokens.at(-1);
    if (last?.kind === 'text') tokens[tokens.length - 1] = { kind: 'text', text: last.text + text };
    else if (text) tokens.push({ kind: 'text', text });
  };
  let end = 0;
  for (const match of body.matchAll(INTERESTING)) {
    appendText(body.slice(end, match.index));
    end = match.index + match[0].length;
    const [text, address, name, time] = match;
    if (address) {
      const [link, tail] = withoutPunctuation(address);
      tokens.push({ kind: 'link', text: link, href: link });
      appendText(tail);
    } else if (name) {
      const [bare, tail] = names && isMention(name) ? [name, ''] : withoutPunctuation(name);
      if (isMention(bare)) tokens.push({ kind: 'mention', text: `@${bare}` });
      else appendText(`@${bare}`);
      appendText(tail);
    } else if (time) tokens.push({ kind: 'time', text, seconds: secondsOf(time) });
  }
  appendText(body.slice(end));
  return tokens;
}

/** Splits trailing punctuation off a URL or name. */
function withoutPunctuation(text: string): readonly [string, string] {
  const kept = text.replace(/(?<![.,;:!?)\]}'-])[.,;:!?)\]}'-]+$/, '');
  return [kept, text.slice(kept.length)];
}

const secondsOf = (time: string): number => time.split(':').reduce((sum, part) => sum * 60 + Number(part), 0);

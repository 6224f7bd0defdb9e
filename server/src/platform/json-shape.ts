import { AppError } from '../kernel/errors.ts';
import { t } from '../kernel/languages/message.ts';

/** Maximum nesting of lists and objects in a request. */
const MAX_JSON_LEVELS = 20;
/** Maximum number of values and names in a request's JSON. */
const MAX_JSON_VALUES = 50_000;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPEN_LIST = 0x5b;
const CLOSE_LIST = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;

/**
 * Rejects JSON (UTF-8) that is nested too deeply or has too many values, before it is parsed: a megabyte of brackets is
 * a million lists. The parser finds all other errors. Throws INVALID_INPUT.
 */
export function requireModestJson(bytes: Uint8Array, maxValues = MAX_JSON_VALUES): void {
  let level = 0;
  let values = 1;
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at];
    if (byte === QUOTE) {
      at = endOfString(bytes, at);
    } else if (byte === OPEN_LIST || byte === OPEN_OBJECT) {
      level += 1;
      values += 1;
      if (level > MAX_JSON_LEVELS) throw tooDeep();
    } else if (byte === CLOSE_LIST || byte === CLOSE_OBJECT) level -= 1;
    else if (byte === COMMA || byte === COLON) values += 1;
    if (values > maxValues) throw tooMany(maxValues);
  }
}

/** Index of the quote that ends the string starting at `start`. */
function endOfString(bytes: Uint8Array, start: number): number {
  let from = start + 1;
  for (;;) {
    const end = bytes.indexOf(QUOTE, from);
    if (end === -1) return bytes.length;
    let escapes = 0;
    while (bytes[end - 1 - escapes] === BACKSLASH) escapes += 1;
    if (escapes % 2 === 0) return end;
    from = end + 1;
  }
}

function tooDeep(): AppError {
  return new AppError('INVALID_INPUT', t`The JSON is nested more than ${MAX_JSON_LEVELS} levels deep.`, {
    suggestedFix: t`Nest lists and objects in the variables at most ${MAX_JSON_LEVELS} levels deep, the request itself
      included.`,
  });
}

function tooMany(most: number): AppError {
  return new AppError('INVALID_INPUT', t`The JSON has more than ${most} values.`, {
    suggestedFix: t`Split the request into several, or send long lists as one string where the argument allows it.`,
  });
}

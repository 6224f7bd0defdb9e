import { isAscii } from 'node:buffer';
import { AppError } from '../kernel/errors.ts';
import { type Message, phrase, t } from '../kernel/languages/message.ts';
import { requireStorableText } from '../kernel/storable-text.ts';
import { requireModestJson } from './json-shape.ts';

const utf8 = new TextDecoder('utf-8', { fatal: true });

/**
 * A body of a request as JSON. Throws INVALID_INPUT for invalid UTF-8, invalid JSON, too deep nesting and too many
 * values.
 */
export function parseJson(bytes: Uint8Array, maxValues?: number): unknown {
  return parsed(bytes, maxValues).value;
}

/**
 * The body of a request to a REST endpoint: as {@link parseJson}, and INVALID_INPUT for a text in it that cannot be
 * stored. GraphQL checks texts argument by argument.
 */
export function parseRestJson(bytes: Uint8Array, maxValues?: number): unknown {
  const { value, text } = parsed(bytes, maxValues);
  // In JSON and UTF-8, characters that cannot be stored are possible as escapes only.
  if (text.includes('\\u')) requireStorableText(value);
  return value;
}

function parsed(bytes: Uint8Array, maxValues?: number): { readonly value: unknown; readonly text: string } {
  requireModestJson(bytes, maxValues);
  const text = decoded(bytes);
  try {
    return { value: JSON.parse(text), text };
  } catch (cause) {
    throw new AppError('INVALID_INPUT', t`The body is not valid JSON: syntax error ${placeOf(cause)}.`, {
      suggestedFix: t`Send one complete JSON object; check quotes, commas and shell escaping.`,
    });
  }
}

function decoded(bytes: Uint8Array): string {
  // Players send ASCII; checking and copying it is much cheaper than decoding.
  if (isAscii(bytes)) return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');
  try {
    return utf8.decode(bytes);
  } catch (cause) {
    throw new AppError('INVALID_INPUT', t`The body is not valid UTF-8.`, {
      suggestedFix: t`Encode the JSON body as UTF-8.`,
      cause,
    });
  }
}

/** The parser's message quotes the body; the position is enough. */
function placeOf(cause: unknown): Message {
  const message = cause instanceof Error ? cause.message : '';
  const [, position, line, column] = /at position (\d+)(?: \(line (\d+) column (\d+)\))?/.exec(message) ?? [];
  if (position === undefined) return phrase`at its end`;
  if (line === undefined || column === undefined) return phrase`at position ${position}`;
  return phrase`at position ${position} (line ${line} column ${column})`;
}

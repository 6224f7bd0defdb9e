/** A content coding that responses are sent with (RFC 9110 section 8.4.1; RFC 7932, 8878, 1952). */
export type Coding = 'br' | 'zstd' | 'gzip';

/** What an Accept-Encoding asks for. */
export interface CodingChoice {
  /** The preferred coding; null if the client prefers none, or accepts none. */
  readonly coding: Coding | null;
  /** Whether the client refuses responses without a coding, so that even small ones get one. */
  readonly required: boolean;
}

const NONE: CodingChoice = { coding: null, required: false };
/** Clients send few different headers, often the same one. */
const MAX_KNOWN = 200;

/**
 * A function that chooses the coding for an Accept-Encoding (RFC 9110 section 12.5.3): the one of the highest quality;
 * among equals the first of `offered`. A coding wins against no coding unless the client gave `identity` a higher
 * quality. Without the header there is none. A client that accepts neither an offered coding nor `identity` gets none.
 */
export function codingChooser(offered: readonly Coding[]): (acceptEncoding: string | undefined) => CodingChoice {
  const known = new Map<string, CodingChoice>();
  return (header) => {
    if (header === undefined) return NONE;
    const found = known.get(header);
    if (found) return found;
    if (known.size >= MAX_KNOWN) known.clear();
    const choice = choose(header, offered);
    known.set(header, choice);
    return choice;
  };
}

function choose(header: string, offered: readonly Coding[]): CodingChoice {
  const qualities = qualitiesOf(header);
  const others = qualities.get('*');
  let coding: Coding | null = null;
  let best = 0;
  for (const each of offered) {
    const quality = qualities.get(each) ?? others ?? 0;
    if (quality <= best) continue;
    coding = each;
    best = quality;
  }
  const identity = qualities.get('identity');
  if (identity !== undefined && identity > best) return NONE;
  return { coding, required: coding !== null && (identity ?? others) === 0 };
}

/** Codings in lower case with their qualities; an invalid quality is 0. `x-gzip` is `gzip` (section 8.4.1.3). */
function qualitiesOf(header: string): Map<string, number> {
  const qualities = new Map<string, number>();
  for (const part of header.toLowerCase().split(',')) {
    const [name = '', ...parameters] = part.split(';').map((text) => text.trim());
    if (name === '') continue;
    const weight = parameters.find((parameter) => parameter.startsWith('q='));
    const quality = weight === undefined ? 1 : Number(weight.slice(2));
    qualities.set(name === 'x-gzip' ? 'gzip' : name, quality >= 0 && quality <= 1 ? quality : 0);
  }
  return qualities;
}

interface Range {
  readonly type: string;
  readonly quality: number;
  readonly position: number;
}

/**
 * The offered media type that matches an Accept header best (RFC 9110 section 12.5.1): the highest quality, then the
 * more specific range, then the client's order, then the offered order. An absent header accepts the first offer; null
 * means that none is acceptable.
 */
export function negotiate(accept: string | undefined, offered: readonly string[]): string | null {
  if (accept === undefined || accept.trim() === '') return offered[0] ?? null;
  const ranges = parseAccept(accept);
  let best: { offer: string; quality: number; specificity: number; position: number } | null = null;
  for (const offer of offered) {
    const range = mostSpecific(ranges, offer);
    if (!range || range.quality === 0) continue;
    const candidate = {
      offer,
      quality: range.quality,
      specificity: specificityOf(range.type),
      position: range.position,
    };
    if (best === null || isBetter(candidate, best)) best = candidate;
  }
  return best?.offer ?? null;
}

/** Whether a browser navigated here: it sends text/html, which programs do not. */
export function wantsHtml(accept: string | undefined): boolean {
  return accept?.includes('text/html') === true && negotiate(accept, ['text/html', 'application/json']) === 'text/html';
}

type Candidate = { quality: number; specificity: number; position: number };

function isBetter(a: Candidate, b: Candidate): boolean {
  if (a.quality !== b.quality) return a.quality > b.quality;
  if (a.specificity !== b.specificity) return a.specificity > b.specificity;
  return a.position < b.position;
}

function parseAccept(accept: string): Range[] {
  return accept.split(',').map((part, position) => {
    const [type = '', ...parameters] = part.split(';').map((part) => part.trim().toLowerCase());
    const q = parameters.find((parameter) => parameter.startsWith('q='));
    const quality = q === undefined ? 1 : Number(q.slice(2));
    return { type, quality: quality >= 0 && quality <= 1 ? quality : 0, position };
  });
}

function mostSpecific(ranges: readonly Range[], offer: string): Range | undefined {
  const group = `${offer.slice(0, offer.indexOf('/'))}/*`;
  const find = (type: string) => ranges.find((range) => range.type === type);
  return find(offer) ?? find(group) ?? find('*/*');
}

function specificityOf(type: string): number {
  return type === '*/*' ? 0 : type.endsWith('/*') ? 1 : 2;
}

import type { LivePosition } from '@reelgraph/manifests';
import { AppError } from '../../../kernel/errors.ts';
import { type Text, t } from '../../../kernel/languages/message.ts';

/** What a player waits for (RFC 8216bis section 6.2.5.2); null for what there is. INVALID_INPUT if it is malformed. */
export function positionIn(query: URLSearchParams): LivePosition | null {
  const [segment, part] = [numberIn(query, '_HLS_msn'), numberIn(query, '_HLS_part')];
  if (segment !== null) return { segment, part };
  if (part !== null) throw wrongPosition(t`_HLS_part needs _HLS_msn.`);
  return null;
}

function numberIn(query: URLSearchParams, name: string): number | null {
  const text = query.get(name);
  if (text === null) return null;
  if (/^\d{1,9}$/.test(text)) return Number(text);
  throw wrongPosition(t`${name} is a number.`);
}

/** INVALID_INPUT for a position that a playlist cannot have. */
export function wrongPosition(message: Text): AppError {
  return new AppError('INVALID_INPUT', message, {
    suggestedFix: t`Load the playlist without parameters, and continue from there.`,
    httpStatus: 400,
  });
}

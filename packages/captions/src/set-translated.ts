import { CAPTION_RULES } from './caption-rules.ts';
import { setCaptions } from './set-captions.ts';
import type { Cue } from './web-vtt.ts';

/**
 * Sets the translations of cues by CAPTION_RULES, with their times: each stays into the pause after it as long as
 * reading takes, and is divided where it does not fit into two lines. Plain text. Pure.
 */
export function setTranslated(cues: readonly Cue[]): Cue[] {
  let shownUntilMs = 0;
  return cues.flatMap(({ startMs, endMs, text }, index) => {
    const nextMs = cues[index + 1]?.startMs ?? Number.POSITIVE_INFINITY;
    const most = Math.max(endMs, Math.min(nextMs, startMs + CAPTION_RULES.mostMs));
    const set = setCaptions([{ text: ` ${text}`, startMs, endMs }], most)
      .map((cue) => ({ ...cue, startMs: Math.max(cue.startMs, shownUntilMs) }))
      .filter((cue) => cue.endMs > cue.startMs);
    shownUntilMs = set.at(-1)?.endMs ?? shownUntilMs;
    return set;
  });
}

/** The text of a cue without markup and lines, as it is translated. Pure. */
export function plainText(text: string): string {
  return text
    .replace(/<\/?[biu]>/g, '')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&nbsp;', ' ')
    .replace(/&(?:lrm|rlm);/g, '')
    .replaceAll('&amp;', '&')
    .replace(/\s+/gu, ' ')
    .trim();
}

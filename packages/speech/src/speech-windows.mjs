// @ts-check
/**
 * The windows of sound that whisper.cpp gets: what has speech, in parts that fit into the 30 s that it computes at a
 * time. Plain JavaScript, so that V8 can run without its compilers.
 */

/** Of a probability. */
export const FRAME_MS = 32;
/** Speech begins above the first probability and ends below the second one. */
const SPEECH = 0.5;
const SILENCE = 0.35;
/** Pauses shorter than this are within speech, and shorter speech is a click. */
const SHORTEST_PAUSE = frames(300);
const SHORTEST_SPEECH = frames(120);
/** Sound around speech, so that no first or last sound of a word is lost. */
const MARGIN = frames(200);
const LONGEST_WINDOW = Math.floor(28_000 / FRAME_MS);

/**
 * In frames: `end` is behind the last one.
 * @typedef {{ start: number, end: number }} Span
 */

/**
 * Where speech is, with a margin, in windows of at most 28 s that do not overlap. Pure.
 * @param {ArrayLike<number>} probabilities Of speech, for each frame.
 * @returns {{ startMs: number, endMs: number }[]}
 */
export function speechWindows(probabilities) {
  const spans = spansOfSpeech(probabilities).flatMap((span) => divided(probabilities, span));
  /** @type {Span[]} */
  const windows = [];
  for (const span of withMargins(spans, probabilities.length)) {
    const last = windows.at(-1);
    if (last && span.end - last.start <= LONGEST_WINDOW) last.end = span.end;
    else windows.push({ ...span });
  }
  return windows.map(({ start, end }) => ({ startMs: start * FRAME_MS, endMs: end * FRAME_MS }));
}

/**
 * @param {ArrayLike<number>} probabilities
 * @returns {Span[]}
 */
function spansOfSpeech(probabilities) {
  /** @type {Span[]} */
  const spans = [];
  let isSpeech = false;
  for (let at = 0; at < probabilities.length; at += 1) {
    const probability = probabilities[at] ?? 0;
    isSpeech = isSpeech ? probability >= SILENCE : probability >= SPEECH;
    if (!isSpeech) continue;
    const last = spans.at(-1);
    if (last && at - last.end < SHORTEST_PAUSE) last.end = at + 1;
    else spans.push({ start: at, end: at + 1 });
  }
  return spans.filter(({ start, end }) => end - start >= SHORTEST_SPEECH);
}

/**
 * Speech without a pause that is longer than a window is cut where speech is least probable.
 * @param {ArrayLike<number>} probabilities
 * @param {Span} span
 * @returns {Span[]}
 */
function divided(probabilities, { start, end }) {
  const most = LONGEST_WINDOW - 2 * MARGIN;
  if (end - start <= most) return [{ start, end }];
  let cut = start + most;
  for (let at = start + Math.floor(most / 2); at < start + most; at += 1)
    if ((probabilities[at] ?? 0) < (probabilities[cut] ?? 0)) cut = at;
  return [{ start, end: cut }, ...divided(probabilities, { start: cut, end })];
}

/**
 * Two neighbours share the pause between them.
 * @param {readonly Span[]} spans
 * @param {number} length
 * @returns {Span[]}
 */
function withMargins(spans, length) {
  return spans.map(({ start, end }, at) => {
    const before = spans[at - 1]?.end ?? -start;
    const after = spans[at + 1]?.start ?? 2 * length - end;
    return {
      start: Math.max(start - MARGIN, Math.ceil((before + start) / 2)),
      end: Math.min(end + MARGIN, Math.ceil((end + after) / 2)),
    };
  });
}

/** @param {number} ms */
function frames(ms) {
  return Math.ceil(ms / FRAME_MS);
}

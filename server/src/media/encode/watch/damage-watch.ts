/** Where decoders report that a picture is damaged; they conceal it and go on. */
const DAMAGE = [
  /error while decoding MB/,
  /concealing \d+ DC/,
  /Invalid NAL unit size/,
  /damaged at \d+/,
  /Error at MB/,
  /corrupt decoded frame/,
  /Packet corrupt/,
];
/** A packet that gives nothing. Recordings of streams begin in the middle of one, which is no damage. */
const REFUSED = /^Error while decoding stream #\d+:\d+: Invalid data/;
const LEAST_REFUSED = 3;

/**
 * Reads the lines that ffmpeg writes to standard error, with their levels, while it decodes a file, and calls
 * `onDamage` once if it found damaged parts. What is missing beside a keyframe where decoding begins is not counted.
 * Pure.
 */
export function damageWatch(onDamage: () => void): (line: string) => void {
  let refused = 0;
  let wasRefused = false;
  let isReported = false;
  return (line) => {
    if (isReported) return;
    const text = line.replace(/^(?:\[[^\]]*\] )+/, '');
    const repeated = wasRefused ? /^\s*Last message repeated (\d+) times/.exec(text)?.[1] : undefined;
    wasRefused = REFUSED.test(text);
    refused += Number(repeated ?? (wasRefused ? 1 : 0));
    isReported = refused >= LEAST_REFUSED || DAMAGE.some((pattern) => pattern.test(text));
    if (isReported) onDamage();
  };
}

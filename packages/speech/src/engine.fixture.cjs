// Hears a remark and two characters, the first one in three tokens, in one second of sound.
class WhisperContext {
  transcribeData(samples, { language, maxThreads }) {
    if (samples.byteLength !== 32_000 || language !== 'auto' || maxThreads !== 3) throw new Error('another call');
    const tokens = [' [', 'MUSIC]', '\ufffd', '\ufffd', '\ufffd', '本'];
    const ends = [50, 100, 200, 300, 500, 1_200];
    const segments = tokens.map((text, at) => ({ text, t0: ends[at - 1] ?? 0, t1: ends[at] }));
    return { promise: Promise.resolve({ language: 'ja', result: ' [MUSIC]日本', segments }) };
  }
}

module.exports = { WhisperContext };

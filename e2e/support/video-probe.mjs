// Measures what the video of a page plays, with `makeFlashClip` or counter clips. Runs in the browser, in any page.
(() => {
  /** Reports when a beep begins after silence, by the clock of the sound. */
  const RECORDER = `registerProcessor('recorder', class extends AudioWorkletProcessor {
    quiet = 0;
    process([input], [output]) {
      const samples = input[0];
      if (!samples) return true;
      for (const [channel, data] of input.entries()) output[channel]?.set(data);
      for (let i = 0; i < samples.length; i += 1) {
        if (Math.abs(samples[i]) < 0.1) this.quiet += 1;
        else {
          if (this.quiet > sampleRate / 10) this.port.postMessage(currentTime + i / sampleRate);
          this.quiet = 0;
        }
      }
      return true;
    }
  });`;

  /** The clocks of sound and video are compared at the frames so close to a beep, in seconds. */
  const AROUND_BEEP = 0.1;
  /** A picture on which the next one follows so late is a stall, in milliseconds. */
  const STALL_MS = 500;

  let sound;

  async function openSound(video) {
    const context = new AudioContext({ latencyHint: 'interactive' });
    const script = URL.createObjectURL(new Blob([RECORDER], { type: 'text/javascript' }));
    await context.audioWorklet.addModule(script);
    const recorder = new AudioWorkletNode(context, 'recorder');
    context.createMediaElementSource(video).connect(recorder).connect(context.destination);
    await context.resume();
    return { context, recorder };
  }

  /** How far the clock of the video is ahead of that of the sound at a time: in the middle of the frames around it. */
  function aheadAt(time, compared) {
    const byDistance = compared.toSorted((a, b) => Math.abs(a.at - time) - Math.abs(b.at - time));
    const around = byDistance.filter(({ at }, index) => index === 0 || Math.abs(at - time) < AROUND_BEEP);
    return around.map(({ ahead }) => ahead).sort((a, b) => a - b)[Math.floor(around.length / 2)];
  }

  /**
   * Times beeps by the clock of the sound, which is compared with that of the video at each frame: it runs on while a
   * video waits for a segment.
   */
  async function listen(video) {
    sound ??= await openSound(video);
    const { context, recorder } = sound;
    const onsets = [];
    const compared = [];
    recorder.port.onmessage = ({ data }) => onsets.push(data);
    return {
      compareClocks() {
        const at = context.currentTime;
        compared.push({ at, ahead: video.currentTime - at });
      },
      times: () => onsets.map((onset) => onset + aheadAt(onset, compared)),
    };
  }

  /**
   * Watches for so many seconds: the times of the video when a picture became white and when a beep began, the longest
   * time without another picture, and how long there was none for too long, in milliseconds.
   */
  async function watch(seconds) {
    const video = document.querySelector('video');
    video.muted = false;
    video.volume = 1;
    const beeps = await listen(video);
    const context = new OffscreenCanvas(8, 8).getContext('2d', { willReadFrequently: true });
    const [flashes, gaps] = [[], []];
    let wasWhite = true;
    let last = performance.now();
    const end = last + 1_000 * seconds;
    const look = (now, { mediaTime }) => {
      gaps.push(now - last);
      last = now;
      context.drawImage(video, 0, 0, 8, 8);
      const isWhite = context.getImageData(4, 4, 1, 1).data[0] > 128;
      if (isWhite && !wasWhite) flashes.push(mediaTime);
      wasWhite = isWhite;
      beeps.compareClocks();
      video.requestVideoFrameCallback(look);
    };
    video.requestVideoFrameCallback(look);
    while (performance.now() < end) await new Promise((done) => setTimeout(done, 50));
    gaps.push(performance.now() - last);
    const stalls = gaps.filter((gap) => gap > STALL_MS);
    return { flashes, beeps: beeps.times(), pictures: gaps.length - 1, stalls: stalls.length, lastGapMs: gaps.at(-1) };
  }

  globalThis.probe = { listen, watch };
})();

// The script of `playersPage`: opens a manifest in a player and reports the frames and beeps that it plays. Runs in the
// browser.
const video = document.querySelector('video');

/** Each player opens an address, counts its qualities, and chooses one: now, or for what it loads from then on. */
const PLAYERS = {
  async hls(url) {
    const { Hls } = globalThis;
    // Not all of a video of a low bit rate.
    const hls = new Hls({ backBufferLength: Number.POSITIVE_INFINITY, maxMaxBufferLength: 20 });
    hls.loadSource(url);
    hls.attachMedia(video);
    await new Promise((done) => hls.once(Hls.Events.MANIFEST_PARSED, done));
    return {
      qualities: () => hls.levels.length,
      choose(index, now) {
        if (now) hls.currentLevel = index;
        else hls.loadLevel = index;
      },
    };
  },
  async shaka(url) {
    const { shaka } = globalThis;
    const player = new shaka.Player();
    await player.attach(video);
    // Prefetching, Shaka Player 5.2 loads nothing any more when a quality is chosen right after the start.
    player.configure({ abr: { enabled: false }, streaming: { bufferingGoal: 4, segmentPrefetchLimit: 0 } });
    await player.load(url);
    const tracks = () => player.getVariantTracks().sort((a, b) => a.id - b.id);
    return {
      qualities: () => tracks().length,
      choose: (index, now) => player.selectVariantTrack(tracks()[index], now, 0),
    };
  },
  async dash(url) {
    const { dashjs } = globalThis;
    const player = dashjs.MediaPlayer().create();
    player.updateSettings({
      streaming: {
        abr: { autoSwitchBitrate: { video: false } },
        buffer: { fastSwitchEnabled: false, bufferTimeDefault: 4, bufferTimeAtTopQuality: 4 },
      },
    });
    player.initialize(video, url, false);
    await new Promise((done) => player.on(dashjs.MediaPlayer.events.STREAM_INITIALIZED, done));
    const list = () => player.getRepresentationsByType('video');
    return {
      qualities: () => list().length,
      choose: (index, now) => player.setRepresentationForTypeById('video', list()[index].id, now),
    };
  },
  async native(url) {
    video.src = url;
    return { qualities: () => 1, choose() {} };
  },
};

const errors = [];
addEventListener('error', ({ message }) => errors.push(message));
addEventListener('unhandledrejection', ({ reason }) => errors.push(String(reason)));
video.addEventListener('error', () => errors.push(`${video.error.code} ${video.error.message}`));

let player;
const until = (element, event) => new Promise((done) => element.addEventListener(event, done, { once: true }));

/** The number of the frame in the picture: its bits are columns, the lowest one first. */
function numberShown({ width, height, bits, bitWidth }) {
  const canvas = Object.assign(document.createElement('canvas'), { width, height });
  const context = canvas.getContext('2d', { willReadFrequently: true });
  context.drawImage(video, 0, 0, width, height);
  let number = 0;
  for (let bit = 0; bit < bits; bit += 1)
    if (context.getImageData((bit + 0.5) * bitWidth, height / 2, 1, 1).data[0] > 127) number += 2 ** bit;
  return number;
}

/** Long enough for a busy machine. */
const STALL_MS = 20_000;

/** Fails where a frame or an event does not come. */
function unlessStalled(awaited) {
  let timer;
  const stalled = new Promise((_, fail) => {
    timer = setTimeout(() => fail(new Error(`the video stalled at ${video.currentTime} s`)), STALL_MS);
  });
  return Promise.race([awaited, stalled]).finally(() => clearTimeout(timer));
}

const nextFrame = (counter) =>
  new Promise((done) =>
    video.requestVideoFrameCallback((_, { mediaTime }) =>
      done([Math.round(mediaTime * counter.framesPerSecond), numberShown(counter)]),
    ),
  );

Object.assign(globalThis, {
  lab: {
    errors,
    async open(name, url) {
      const loaded = until(video, 'loadedmetadata');
      player = await PLAYERS[name](url);
      await loaded;
      return player.qualities();
    },
    choose: (index, now) => player.choose(index, now),
    /** Seeks to the middle of frames; the number of each by its time, and the one that it shows. */
    async framesAt(counter, frames) {
      video.pause();
      const shown = [];
      for (const frame of frames) {
        const target = (frame + 0.5) / counter.framesPerSecond;
        const seek = async () => {
          let painted = nextFrame(counter);
          video.currentTime = target;
          for (;;) {
            const found = await unlessStalled(painted);
            // After a change of quality, the frame of before may be painted once more.
            if (found[0] === frame || !video.seeking) return found;
            painted = nextFrame(counter);
          }
        };
        const first = await seek();
        // On a busy machine, Shaka jumps over a segment that is not loaded yet to one that is.
        const hasJumped = Math.abs(video.currentTime - target) > 0.5 / counter.framesPerSecond;
        shown.push(hasJumped ? await seek() : first);
      }
      return shown;
    },
    /**
     * Plays from the start to the end, and chooses qualities at times; the frames as above, and when beeps were heard.
     * Fails where the video stalls.
     */
    async playThrough(counter, choices) {
      video.currentTime = 0;
      await unlessStalled(until(video, 'seeked'));
      const beeps = await globalThis.probe.listen(video);
      const ended = until(video, 'ended');
      const pending = [...choices];
      const frames = [];
      await video.play();
      for (;;) {
        const frame = await unlessStalled(Promise.race([nextFrame(counter), ended]));
        if (!Array.isArray(frame)) return { frames, beeps: beeps.times() };
        frames.push(frame);
        beeps.compareClocks();
        if (video.currentTime >= pending[0]?.[0]) player.choose(pending.shift()[1], false);
      }
    },
  },
});

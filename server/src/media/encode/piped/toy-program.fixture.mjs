/**
 * A stage for tests: `video` doubles the sides of raw pictures in 4:2:0 and writes into each its number and the mean
 * brightness of three frames, `audio` adds channels. Arguments: the kind and its settings, in JSON.
 */
import { once } from 'node:events';

const [kind, text] = process.argv.slice(2);
const settings = JSON.parse(text);
const { fault = null, at = 0 } = settings;

async function write(bytes) {
  if (!process.stdout.write(bytes)) await once(process.stdout, 'drain');
}

/** Standard input in pieces of a size; the last one may be shorter. */
async function* pieces(size) {
  let rest = [];
  let length = 0;
  for await (const bytes of process.stdin) {
    rest.push(bytes);
    length += bytes.length;
    if (length < size) continue;
    const all = Buffer.concat(rest);
    let offset = 0;
    for (; offset + size <= all.length; offset += size) yield all.subarray(offset, offset + size);
    rest = [all.subarray(offset)];
    length = all.length - offset;
  }
  if (length > 0) yield Buffer.concat(rest);
}

function doubled(plane, width, height) {
  const large = Buffer.alloc(4 * width * height);
  for (let y = 0; y < height; y += 1) {
    const row = large.subarray(4 * y * width, 4 * y * width + 2 * width);
    for (let x = 0; x < width; x += 1) row.fill(plane[y * width + x], 2 * x, 2 * x + 2);
    row.copy(large, 4 * y * width + 2 * width);
  }
  return large;
}

/** Number of bits of a frame's number, each a square at the top of the picture. */
const BITS = 12;

function drawn(frame, number, brightness) {
  const { width, height } = settings;
  const luma = doubled(frame.subarray(0, width * height), width, height);
  const chroma = [0, 1].map((plane) => {
    const size = (width / 2) * (height / 2);
    const start = width * height + plane * size;
    return doubled(frame.subarray(start, start + size), width / 2, height / 2);
  });
  const side = Math.floor((2 * width) / (BITS + 1));
  for (let y = 0; y < side; y += 1)
    for (let bit = 0; bit <= BITS; bit += 1) {
      const value = bit === BITS ? brightness : (number >> bit) & 1 ? 235 : 16;
      luma.fill(value, 2 * width * y + bit * side, 2 * width * y + (bit + 1) * side);
    }
  return Buffer.concat([luma, ...chroma]);
}

function brightnessOf(frame) {
  const luma = frame.subarray(0, settings.width * settings.height);
  let sum = 0;
  for (let index = 0; index < luma.length; index += 7) sum += luma[index];
  return sum / Math.ceil(luma.length / 7);
}

/** Waits without using the CPU: the pipe stays open and is not read. */
const forever = () => new Promise(() => setInterval(() => {}, 2 ** 30));

async function changeVideo() {
  const { width, height, firstFrame } = settings;
  const waiting = [];
  let number = 0;
  const flush = async (next) => {
    const { frame, before } = waiting.shift();
    const own = brightnessOf(frame);
    const mean = (own + (before ?? own) + (next ? brightnessOf(next) : own)) / 3;
    const bytes = drawn(frame, firstFrame + number, Math.round(mean));
    if (number === at && fault === 'die') process.exit(3);
    if (number === at && fault === 'leave') process.exit(0);
    if (number === at && fault === 'hang') await forever();
    if (!(number === at && fault === 'lose')) await write(bytes);
    if (number === at && fault === 'double') await write(bytes);
    number += 1;
    return own;
  };
  for await (const frame of pieces((width * height * 3) / 2)) {
    const before = waiting.length > 0 ? await flush(frame) : null;
    waiting.push({ frame: Buffer.from(frame), before });
  }
  if (waiting.length > 0) await flush(null);
  if (fault === 'part') await write(Buffer.alloc(1000));
}

async function changeAudio() {
  const { channels, output } = settings;
  let count = 0;
  for await (const bytes of pieces(4 * channels * 1024)) {
    const samples = bytes.length / 4 / channels;
    const made = Buffer.alloc(4 * output * samples);
    for (let sample = 0; sample < samples; sample += 1)
      for (let channel = 0; channel < output; channel += 1) {
        // The n-th channel is the first one, n + 1 times as quiet.
        const value = bytes.readFloatLE(4 * channels * sample) / (channel + 1);
        made.writeFloatLE(value, 4 * (output * sample + channel));
      }
    if (count === at && fault === 'die') process.exit(3);
    await write(count === at && fault === 'lose' ? made.subarray(4 * output) : made);
    count += 1;
  }
}

await (kind === 'video' ? changeVideo() : changeAudio());

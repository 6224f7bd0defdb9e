// @ts-check
/**
 * Enlarges pictures with an ONNX model. It runs in the sandbox: the model and the pictures come over standard input,
 * the enlarged ones leave over standard output (upscaler-process.ts). Plain
 * JavaScript, so that V8 can run without its compilers (`--jitless`), which stripping types needs.
 */
import { readSync, writeSync } from 'node:fs';
import { enlarge, openModel, Refusal, tilingOf } from './model-session.mjs';

/** Kinds of replies: one byte, then the length of what follows in four (big endian). */
const REPLY = { FACTS: 1, PICTURE: 2, REFUSAL: 3 };
const HEADER_BYTES = 5;

/** @type {{ modelBytes: number, threads: number, tileSide: number, provider: string }} */
const { modelBytes, threads, tileSide, provider } = receiveMessage();
try {
  const model = await openModel(receive(modelBytes), { threads, provider });
  send(REPLY.FACTS, Buffer.from(JSON.stringify(model.facts)));
  for (;;) {
    /** @type {{ width: number, height: number }} */
    const { width, height } = receiveMessage();
    const { channels } = model.facts;
    const pixels = receive(channels * width * height);
    const picture = { width, height, channels, pixels };
    send(REPLY.PICTURE, await enlarge(model, picture, tilingOf(model.facts, tileSide)));
  }
} catch (error) {
  const text = error instanceof Error ? error.message : String(error);
  send(REPLY.REFUSAL, Buffer.from(error instanceof Refusal ? text : `ONNX Runtime reports: ${text}`).subarray(0, 500));
}

/** A length in four bytes, then JSON. */
function receiveMessage() {
  return JSON.parse(receive(receive(4).readUInt32BE(0)).toString());
}

/**
 * Waits for this many bytes. Exits at the end of input.
 * @param {number} length
 */
function receive(length) {
  const bytes = Buffer.allocUnsafeSlow(length);
  for (let at = 0; at < length; ) {
    const count = readSync(0, bytes, at, length - at, null);
    if (count === 0) process.exit(0);
    at += count;
  }
  return bytes;
}

/**
 * @param {number} kind
 * @param {Uint8Array} payload
 */
function send(kind, payload) {
  const header = Buffer.alloc(HEADER_BYTES);
  header.writeUInt8(kind, 0);
  header.writeUInt32BE(payload.length, 1);
  for (const bytes of [header, payload]) for (let at = 0; at < bytes.length; ) at += writeSync(1, bytes, at);
}

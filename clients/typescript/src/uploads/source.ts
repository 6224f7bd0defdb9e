/** A file to upload: any part can be read at any time, or, of a stream, at least the part that is not confirmed yet. */
export interface UploadSource {
  readonly name: string;
  readonly sizeBytes: number;
  /** The bytes from `start` to before `end`. */
  read(start: number, end: number): Promise<Blob | Uint8Array<ArrayBuffer>>;
  /**
   * Whether parts can be read again in any order; not for a stream, which is not compared when an upload is resumed.
   */
  readonly seekable: boolean;
}

/** Reads a browser's File, or any Blob. */
export function blobSource(blob: Blob, name?: string): UploadSource {
  const given = 'name' in blob && typeof blob.name === 'string' ? blob.name : 'upload';
  return {
    name: name ?? given,
    sizeBytes: blob.size,
    seekable: true,
    read: async (start, end) => blob.slice(start, end),
  };
}

/**
 * A stream of known length. Unconfirmed bytes are buffered, so that it survives a lost connection, but not a restart.
 */
export function streamSource(
  stream: AsyncIterable<Uint8Array> | ReadableStream<Uint8Array>,
  facts: { readonly name: string; readonly sizeBytes: number },
): UploadSource {
  const chunks = iterate(stream);
  /** The bytes from `from` on, in order. */
  let buffered = new Uint8Array(0);
  let from = 0;
  return {
    ...facts,
    seekable: false,
    async read(start, end) {
      if (start < from) throw new RangeError(`The stream has passed byte ${start}: confirmed bytes are not buffered.`);
      buffered = buffered.slice(start - from);
      from = start;
      let length = buffered.length;
      while (length < end - start) {
        const { value, done } = await chunks.next();
        if (done)
          throw new RangeError(`The stream ended after ${start + length} bytes; ${facts.sizeBytes} were declared.`);
        // Allocates the whole part at once: copying for each chunk would take seconds for a part of many chunks.
        if (length + value.length > buffered.length)
          buffered = enlarged(buffered, Math.max(end - start, length + value.length));
        buffered.set(value, length);
        length += value.length;
      }
      buffered = buffered.subarray(0, length);
      return buffered.slice(0, end - start);
    },
  };
}

async function* iterate(stream: AsyncIterable<Uint8Array> | ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  if (Symbol.asyncIterator in stream) return yield* stream as AsyncIterable<Uint8Array>; // checked above
  const reader = (stream as ReadableStream<Uint8Array>).getReader(); // not every browser iterates over streams
  for (let chunk = await reader.read(); !chunk.done; chunk = await reader.read()) yield chunk.value;
}

function enlarged(bytes: Uint8Array, length: number): Uint8Array<ArrayBuffer> {
  const larger = new Uint8Array(length);
  larger.set(bytes);
  return larger;
}

const SAMPLE_BYTES = 64 * 1024;

/**
 * Identifies a file when its upload is resumed: a digest of its length, its first and its last 64 KiB. Null for
 * streams, and on pages without TLS, where Web Crypto is missing.
 */
export async function fingerprint(source: UploadSource): Promise<string | null> {
  if (!source.seekable || !globalThis.crypto?.subtle) return null;
  const { sizeBytes } = source;
  const ends = [
    await source.read(0, Math.min(SAMPLE_BYTES, sizeBytes)),
    await source.read(Math.max(0, sizeBytes - SAMPLE_BYTES), sizeBytes),
  ];
  const bytes = await new Blob([`${sizeBytes}\n`, ...ends]).arrayBuffer();
  const digest = await crypto.subtle.digest('SHA-256', bytes);
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('');
}

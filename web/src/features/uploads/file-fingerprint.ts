const SAMPLE_BYTES = 64 * 1024;

/**
 * A short text that differs for different files, from their size and samples of their start, middle and end; for
 * telling whether a file is the one whose upload was started. Throws if the file cannot be read.
 */
export async function fileFingerprint(file: File): Promise<string> {
  const starts = [0, Math.floor(file.size / 2), Math.max(0, file.size - SAMPLE_BYTES)];
  const samples = await Promise.all(starts.map((start) => file.slice(start, start + SAMPLE_BYTES).arrayBuffer()));
  return `${file.size}-${samples.map((sample) => hash(new Uint8Array(sample)).toString(36)).join('-')}`;
}

/** FNV-1a with 32 bits. */
function hash(bytes: Uint8Array): number {
  let value = 0x811c9dc5;
  for (const byte of bytes) value = Math.imul(value ^ byte, 0x01000193);
  return value >>> 0;
}

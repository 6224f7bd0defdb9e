/** Files in the work folder that a chunk is verified with, by the outputs of its filters that they are. */
export const SAMPLES = {
  video: { source: 'source.yuv', staged: 'staged.yuv', counted: 'counted.gray' },
  audio: { staged: 'staged.pcm' },
} as const;

/** Options of an output with nothing but pixels. */
export function rawVideo(from: string, file: string): string[] {
  return ['-map', from, '-fps_mode', 'passthrough', '-c:v', 'rawvideo', '-f', 'rawvideo', file];
}

/** Options of an output with nothing but samples in 16 bits. */
export function rawSound(from: string, file: string): string[] {
  return ['-map', from, '-c:a', 'pcm_s16le', '-f', 's16le', file];
}

import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** Seconds in a playlist: of its segments, and of the parts of the last one. */
export function announced(playlist: string): { segments: number; parts: number } {
  const [, open = ''] = /[\s\S]*\nseg-\d+\.m4s\n([\s\S]*)$/.exec(playlist) ?? [];
  const sum = (text: string, pattern: RegExp) =>
    [...text.matchAll(pattern)].reduce((seconds, [, each]) => seconds + Number(each), 0);
  return { segments: sum(playlist, /#EXTINF:([\d.]+)/g), parts: sum(open, /#EXT-X-PART:DURATION=([\d.]+)/g) };
}

/** The pictures of a recording at its address. */
export async function countPictures(hls: string): Promise<number> {
  const counted = [
    '-v',
    'error',
    '-count_packets',
    '-select_streams',
    'v:0',
    '-show_entries',
    'stream=nb_read_packets',
  ];
  const { stdout } = await run('ffprobe', [...counted, '-of', 'csv=p=0', hls]);
  return Number.parseInt(stdout, 10);
}

import sharp from 'sharp';
import type { Luma } from '../../packages/upscale/src/resample.ts';
import type { Source } from './sources.ts';

const SIZE = { width: 960, height: 540 };
const WORDS = 'Settings Upload Publish Channel 1080p Quality 0123456789 Captions Playback Chapters'.split(' ');

/** A screen with text, lines and shapes that scrolls by so many pixels a frame, in full range. */
export async function drawGraphics(frames: number, step: number): Promise<Source> {
  const { width, height } = SIZE;
  const tall = height + step * frames;
  const page = drawing(width, tall);
  const { data } = await sharp(Buffer.from(page)).flatten({ background: '#fff' }).greyscale().raw().toBuffer({
    resolveWithObject: true,
  });
  return {
    name: step === 0 ? 'graphics, still' : 'graphics, scrolling',
    isClip: true,
    frames: Array.from({ length: frames }, (_, frame): Luma => {
      const start = step * frame * width;
      return { width, height, pixels: new Uint8Array(data.subarray(start, start + width * height)) };
    }),
  };
}

function drawing(width: number, height: number): string {
  const rows = Array.from({ length: Math.ceil(height / 36) }, (_, row) => {
    const y = 36 * row;
    const dark = row % 4 === 3;
    const size = 13 + (row % 5) * 3;
    const words = Array.from({ length: 9 }, (__, at) => WORDS[(row * 3 + at) % WORDS.length]).join(' ');
    return (
      `<rect x="0" y="${y}" width="${width}" height="36" fill="${dark ? '#20242c' : row % 2 ? '#eef1f6' : '#fff'}"/>` +
      `<text x="${20 + (row % 7) * 5}" y="${y + 25}" font-family="DejaVu Sans" font-size="${size}" ` +
      `fill="${dark ? '#f4f4f4' : '#222'}">${words}</text>` +
      `<circle cx="${width - 40}" cy="${y + 18}" r="${6 + (row % 4) * 3}" fill="#3366cc"/>` +
      `<line x1="0" y1="${y + 35.5}" x2="${width}" y2="${y + 35.5 - (row % 6)}" stroke="#888" stroke-width="1"/>`
    );
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">${rows.join('')}</svg>`;
}

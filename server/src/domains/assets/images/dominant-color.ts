/** Colors are counted in boxes of 16 shades per channel. */
const BOX = 16;
const BOXES = 256 / BOX;

/** The most frequent color, as `#rrggbb`. `rgb` has three bytes per pixel. */
export function dominantColor(rgb: Buffer): string {
  const counts = new Uint32Array(BOXES ** 3);
  let most = 0;
  for (let at = 0; at + 2 < rgb.length; at += 3) {
    const box = (boxOf(rgb[at]) * BOXES + boxOf(rgb[at + 1])) * BOXES + boxOf(rgb[at + 2]);
    counts[box] = (counts[box] ?? 0) + 1;
    if ((counts[box] ?? 0) > (counts[most] ?? 0)) most = box;
  }
  const parts = [Math.floor(most / BOXES ** 2), Math.floor(most / BOXES) % BOXES, most % BOXES];
  return `#${parts.map((part) => (part * BOX + BOX / 2).toString(16).padStart(2, '0')).join('')}`;
}

function boxOf(value = 0): number {
  return Math.floor(value / BOX);
}

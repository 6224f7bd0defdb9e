export type SniffedImage = 'jpeg' | 'png' | 'gif' | 'webp' | 'avif' | 'heic';

/** Bytes that `sniffImage` needs. */
export const IMAGE_SNIFF_BYTES = 64;

/** The format of an image by its first bytes, independent of its name; null if not accepted, such as SVG. */
export function sniffImage(head: Buffer): SniffedImage | null {
  const text = head.toString('latin1');
  if (text.startsWith('\xff\xd8\xff')) return 'jpeg';
  if (text.startsWith('\x89PNG\r\n\x1a\n')) return 'png';
  if (text.startsWith('GIF87a') || text.startsWith('GIF89a')) return 'gif';
  if (text.startsWith('RIFF') && text.slice(8, 12) === 'WEBP') return 'webp';
  return text.slice(4, 8) === 'ftyp' ? formatOfBrands(head) : null;
}

/** ISO/IEC 14496-12 section 4.3: the major brand, the minor version, then compatible brands to the end of the box. */
function formatOfBrands(head: Buffer): SniffedImage | null {
  const end = Math.min(head.length, head.readUInt32BE(0));
  const brands: string[] = [head.toString('latin1', 8, 12)];
  for (let at = 16; at + 4 <= end; at += 4) brands.push(head.toString('latin1', at, at + 4));
  if (brands.includes('avif') || brands.includes('avis')) return 'avif';
  return brands.some((brand) => ['heic', 'heix', 'heim', 'heis', 'hevc', 'hevx', 'mif1', 'msf1'].includes(brand))
    ? 'heic'
    : null;
}

/**
 * The reference of `npm run bench:images`: bare sharp, which writes only the files of an image. It receives its
 * requests over IPC.
 */
import { join } from 'node:path';
import sharp, { type Sharp } from 'sharp';
import type { PlannedVariant } from '../../server/src/domains/assets/images/image-plan.ts';

export interface BareRequest {
  readonly path: string;
  readonly folder: string;
  readonly variants: readonly PlannedVariant[];
}

export interface BareResponse {
  readonly wallMs: number;
  readonly cpuMs: number;
}

sharp.cache(false);
sharp.concurrency(1);

process.on('message', async (request: BareRequest) => {
  const startedAt = performance.now();
  const before = process.cpuUsage();
  await render(request);
  const { user, system } = process.cpuUsage(before);
  const response: BareResponse = { wallMs: performance.now() - startedAt, cpuMs: (user + system) / 1000 };
  process.send?.(response);
});

async function render({ path, folder, variants }: BareRequest): Promise<void> {
  const [widest] = variants;
  if (!widest) throw new Error('No files are wanted.');
  const { data, info } = await sharp(path, { sequentialRead: true })
    .autoOrient()
    .resize(widest.width, widest.height, { fit: 'fill' })
    .toColourspace('srgb')
    .raw({ depth: 'uchar' })
    .toBuffer({ resolveWithObject: true });
  for (const { file, width, height, format } of variants) {
    const sized = sharp(data, { raw: { width: info.width, height: info.height, channels: info.channels } });
    if (width !== info.width) sized.resize(width, height, { fit: 'fill' });
    await encoded(sized, format).toFile(join(folder, file));
  }
}

function encoded(image: Sharp, format: PlannedVariant['format']): Sharp {
  if (format === 'JPEG') return image.flatten({ background: '#ffffff' }).jpeg({ quality: 82, mozjpeg: true });
  return format === 'WEBP' ? image.webp({ quality: 80 }) : image.avif({ quality: 55, effort: 2 });
}

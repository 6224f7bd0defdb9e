import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { AppError } from '../../../kernel/errors.ts';
import { t } from '../../../kernel/languages/message.ts';
import type { ImageDecoder } from '../../../media/index.ts';
import type { WorkFolders } from '../work-folders.ts';
import { requireAcceptedFormat, requireAcceptedSize, rethrowForUploader } from './render-image.ts';

/** A logo as pages show it. */
export interface RenderedLogo {
  readonly png: Buffer;
  readonly width: number;
  readonly height: number;
}

/** Twice the pixels of the largest place. */
const BOX = { width: 960, height: 192 };
const MIN_HEIGHT = 32;
/** Widths for one of height, of logos that fit beside the search box. */
const SHAPES = { least: 0.5, most: 5 };

/**
 * The image of a file as a PNG that fits in the box, decoded in the sandbox; metadata are dropped.
 * @throws AppError TRANSCODE_FAILED for anything that is not a usable logo, SERVICE_UNAVAILABLE while images cannot be
 *   decoded.
 */
export async function renderLogo(decoder: ImageDecoder, folders: WorkFolders, file: Buffer): Promise<RenderedLogo> {
  return folders.use(async (folder) => {
    const path = join(folder, 'logo');
    await writeFile(path, file);
    const format = await requireAcceptedFormat(path);
    let size = { width: 0, height: 0 };
    const [png] = await decoder
      .convert({ path, format }, (original) => {
        requireAcceptedSize(original);
        requireShape(original);
        const scale = Math.min(1, BOX.width / original.width, BOX.height / original.height);
        size = { width: Math.round(original.width * scale), height: Math.round(original.height * scale) };
        return { ...size, outputs: [{ format: 'PNG', ...size }] };
      })
      .catch(rethrowForUploader);
    if (!png) throw new Error('The decoder returned fewer files than requested.');
    return { png, ...size };
  });
}

function requireShape({ width, height }: { readonly width: number; readonly height: number }): void {
  const shape = width / height;
  if (height >= MIN_HEIGHT && shape >= SHAPES.least && shape <= SHAPES.most) return;
  throw new AppError('TRANSCODE_FAILED', t`The image has ${width} by ${height} pixels, which does not suit a logo.`, {
    suggestedFix: t`Send one that is at least ${MIN_HEIGHT} pixels high, and between half as wide and ${SHAPES.most}
      times as wide as it is high; a square one is also the icon of browser tabs.`,
  });
}

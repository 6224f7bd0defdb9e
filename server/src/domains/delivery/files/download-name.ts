import type { DownloadFile } from '../../assets/index.ts';

/**
 * Characters that file systems forbid or treat specially, and invisible ones: controls, direction marks, zero width.
 */
const UNFIT = /[<>:"/\\|?*\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu;
/** Windows keeps these names for devices. */
const DEVICE = /^(con|prn|aux|nul|com\d|lpt\d)(\.|$)/i;
/** In grapheme clusters; most file systems have a limit of 255 bytes. */
const MOST = 60;

/**
 * The file name of a download: the title of its content, sanitized for all file systems, with the file's extension.
 * Pure.
 */
export function downloadName(title: string, file: DownloadFile): string {
  const [what = 'video', ending] = file.split('.');
  const fit = [...title.replace(UNFIT, ' ').replace(/\s+/g, ' ').trim()].slice(0, MOST).join('');
  const name = fit.replace(/^[.\s]+|(?<![.\s])[.\s]+$/g, '');
  return `${name === '' || DEVICE.test(name) ? what : name}.${ending}`;
}

import type { DownloadFile } from './media-address.ts';

/**
 * Characters that file systems forbid or treat specially, and invisible ones: controls, direction marks, zero width.
 */
const UNFIT = /[<>:"/\\|?*\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu;
/** Windows keeps these names for devices. */
const DEVICE = /^(con|prn|aux|nul|com\d|lpt\d)(\.|$)/i;
/** In characters as people count them; most file systems end at 255 bytes. */
const MOST = 60;

/**
 * The name a download is saved under: the title of its content, made fit for every file system, with the ending of the
 * file. Pure.
 */
export function downloadName(title: string, file: DownloadFile): string {
  const [what = 'video', ending] = file.split('.');
  const fit = [...title.replace(UNFIT, ' ').replace(/\s+/g, ' ').trim()].slice(0, MOST).join('');
  const name = fit.replace(/^[.\s]+|[.\s]+$/g, '');
  return `${name === '' || DEVICE.test(name) ? what : name}.${ending}`;
}

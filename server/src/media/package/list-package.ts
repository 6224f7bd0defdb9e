import { lstat, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { PackageError } from '../encode/encoded.ts';

/** A packaged file: its path relative to the package, its type and its size. */
export interface PackagedFile {
  readonly path: string;
  readonly contentType: string;
  readonly sizeBytes: number;
}

const CONTENT_TYPES: Record<string, string> = {
  m3u8: 'application/vnd.apple.mpegurl',
  mpd: 'application/dash+xml',
  m4s: 'video/iso.segment',
  mp4: 'video/mp4',
  index: 'application/octet-stream',
  jpg: 'image/jpeg',
  vtt: 'text/vtt; charset=utf-8',
};

/**
 * Every file below `root`. The output of the sandboxed process is not trusted: anything but a plain file with one name
 * (such as a link to another file) is an error.
 */
export async function listPackage(root: string, below = ''): Promise<PackagedFile[]> {
  const files: PackagedFile[] = [];
  for (const entry of (await readdir(join(root, below), { withFileTypes: true })).sort((a, b) =>
    a.name < b.name ? -1 : 1,
  )) {
    const path = below === '' ? entry.name : `${below}/${entry.name}`;
    if (entry.isDirectory()) {
      files.push(...(await listPackage(root, path)));
      continue;
    }
    const contentType = CONTENT_TYPES[entry.name.split('.').pop() ?? ''];
    const status = await lstat(join(root, path));
    if (!status.isFile() || status.nlink !== 1 || contentType === undefined)
      throw new PackageError(`Unexpected file in the package: ${path}`);
    files.push({ path, contentType, sizeBytes: status.size });
  }
  return files;
}

import { createHash } from 'node:crypto';
import { realpath, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Account } from '../account.ts';
import { CliError } from '../errors.ts';
import { unreadable } from '../files.ts';
import { type Environment, readPrivate, removeFile, stateFolder, writePrivate } from '../folders.ts';

/** An upload that was started and is not finished. */
export interface UnfinishedUpload {
  readonly contentId: string;
  /** The permission to send the rest of the file. */
  readonly resumeToken: string;
  /** The options that cannot change any more, as a text to compare. */
  readonly options: string;
  /** Whether all bytes were received, so that only processing is left. */
  readonly isSent: boolean;
}

/**
 * The saved state of the upload of one file to one platform with one key, found by path, size and modification time,
 * removed when it is finished. Another key may be that of another channel, which cannot continue the upload.
 */
export class ResumableUploadState {
  readonly #path: string;

  private constructor(path: string) {
    this.#path = path;
  }

  /** Throws CliError if there is no such file. */
  static async open(env: Environment, { url, key }: Account, file: string): Promise<ResumableUploadState> {
    const [path, facts] = await Promise.all([realpath(file), stat(file)]).catch((error: unknown) => {
      throw unreadable(file, error);
    });
    if (!facts.isFile() || facts.size === 0)
      throw new CliError(`${file} is not a file, or it is empty.`, 'Pass the path of a video.');
    const parts = [url, key, path, facts.size, facts.mtimeMs];
    const identity = createHash('sha256').update(parts.join('\0')).digest('hex');
    return new ResumableUploadState(join(stateFolder(env), 'uploads', `${identity}.json`));
  }

  async read(): Promise<UnfinishedUpload | null> {
    const { contentId, resumeToken, options, isSent } = (await readPrivate(this.#path)) ?? {};
    if (typeof contentId !== 'string' || typeof resumeToken !== 'string' || typeof options !== 'string') return null;
    return { contentId, resumeToken, options, isSent: isSent === true };
  }

  write(upload: UnfinishedUpload): Promise<void> {
    return writePrivate(this.#path, upload);
  }

  async remove(): Promise<void> {
    await removeFile(this.#path);
  }
}

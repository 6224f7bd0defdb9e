import { createHash } from 'node:crypto';
import { realpath, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { CliError } from '../failures.ts';
import { unreadable } from '../files.ts';
import { type Environment, forget, readPrivate, stateFolder, writePrivate } from '../folders.ts';

/** An upload that was begun and has not come to its end. */
export interface Begun {
  readonly contentId: string;
  /** The permission to send the rest of the file. */
  readonly resumeToken: string;
  /** What was asked for and cannot be changed any more, as a text to be compared. */
  readonly options: string;
  /** Whether the file has arrived, so that only its processing is waited for. */
  readonly isSent: boolean;
}

/** What is known about the upload of one file to one platform: found again by path, size and time of change, forgotten when it is over. */
export class KeptUpload {
  readonly #path: string;

  private constructor(path: string) {
    this.#path = path;
  }

  /** Throws CliError when there is no such file. */
  static async of(env: Environment, url: string, file: string): Promise<KeptUpload> {
    const [path, facts] = await Promise.all([realpath(file), stat(file)]).catch((error: unknown) => {
      throw unreadable(file, error);
    });
    if (!facts.isFile() || facts.size === 0) throw new CliError(`${file} is no file, or it is empty.`, 'Give the path of a video.');
    const identity = createHash('sha256').update([url, path, facts.size, facts.mtimeMs].join('\0')).digest('hex');
    return new KeptUpload(join(stateFolder(env), 'uploads', `${identity}.json`));
  }

  async read(): Promise<Begun | null> {
    const { contentId, resumeToken, options, isSent } = (await readPrivate(this.#path)) ?? {};
    if (typeof contentId !== 'string' || typeof resumeToken !== 'string' || typeof options !== 'string') return null;
    return { contentId, resumeToken, options, isSent: isSent === true };
  }

  write(begun: Begun): Promise<void> {
    return writePrivate(this.#path, begun);
  }

  async forget(): Promise<void> {
    await forget(this.#path);
  }
}

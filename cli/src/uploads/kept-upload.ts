import { createHash } from 'node:crypto';
import { realpath, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { CliError } from '../failures.ts';
import { type Environment, forget, readPrivate, stateFolder, writePrivate } from '../folders.ts';

/** An upload that was begun and has not come to its end. */
export interface Begun {
  readonly contentId: string;
  /** The permission to send the rest of the file. */
  readonly resumeToken: string;
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
      throw new CliError(
        `${file} cannot be read: ${error instanceof Error ? error.message : error}.`,
        'Give the path of a file that is there.',
      );
    });
    if (!facts.isFile() || facts.size === 0) throw new CliError(`${file} is no file, or it is empty.`, 'Give the path of a video.');
    const identity = createHash('sha256').update([url, path, facts.size, facts.mtimeMs].join('\0')).digest('hex');
    return new KeptUpload(join(stateFolder(env), 'uploads', `${identity}.json`));
  }

  async read(): Promise<Begun | null> {
    const { contentId, resumeToken, isSent } = (await readPrivate(this.#path)) ?? {};
    if (typeof contentId !== 'string' || typeof resumeToken !== 'string') return null;
    return { contentId, resumeToken, isSent: isSent === true };
  }

  write(begun: Begun): Promise<void> {
    return writePrivate(this.#path, begun);
  }

  async forget(): Promise<void> {
    await forget(this.#path);
  }
}

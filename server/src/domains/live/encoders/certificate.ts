import { readFile, stat } from 'node:fs/promises';
import { createSecureContext, type SecureContext } from 'node:tls';
import type { Logger } from '../../../platform/log.ts';
import { type Repeated, repeat } from '../../../platform/repeat.ts';

/** How long a renewed certificate may wait. */
const LOOK_MS = 60_000;

/** Paths of PEM files: the certificate with its chain, and its key. */
export interface CertificateFiles {
  readonly certFile: string;
  readonly keyFile: string;
}

/** The certificate of RTMPS. Its files are read again when they change, as they do when it is renewed. */
export class Certificate {
  readonly #files: CertificateFiles;
  readonly #look: Repeated;
  #context: SecureContext;
  /** When the files that were read had been written. */
  #version: string;

  private constructor(files: CertificateFiles, log: Logger, context: SecureContext, version: string) {
    [this.#files, this.#context, this.#version] = [files, context, version];
    // Also while one of the two files is new and the other is not.
    this.#look = repeat(log, 'the certificate of RTMPS could not be read, the former is kept', LOOK_MS, async () => {
      await this.refresh();
      return false;
    });
  }

  /** @throws Error when the files cannot be read, or do not belong together. */
  static async open(files: CertificateFiles, log: Logger): Promise<Certificate> {
    const version = await versionOf(files);
    const certificate = new Certificate(files, log, await read(files), version);
    certificate.#look.start();
    return certificate;
  }

  /** For the next connection. */
  get context(): SecureContext {
    return this.#context;
  }

  /** Reads the files if they have changed. */
  async refresh(): Promise<void> {
    const version = await versionOf(this.#files);
    if (version === this.#version) return;
    this.#context = await read(this.#files);
    this.#version = version;
  }

  close(): Promise<void> {
    return this.#look.stop();
  }
}

async function versionOf({ certFile, keyFile }: CertificateFiles): Promise<string> {
  const times = await Promise.all([certFile, keyFile].map(async (path) => (await stat(path)).mtimeMs));
  return times.join(' ');
}

async function read({ certFile, keyFile }: CertificateFiles): Promise<SecureContext> {
  const [cert, key] = await Promise.all([readFile(certFile), readFile(keyFile)]);
  return createSecureContext({ cert, key });
}

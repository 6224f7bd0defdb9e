import { mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createTransport } from 'nodemailer';
import type { MailTransport } from './mail-transport.ts';
import { messageOptions } from './message-options.ts';

/** Messages that are kept; the oldest are deleted. */
const MOST_MESSAGES = 1_000;
export const MAIL_ENDING = '.eml';

/**
 * Writes each message to a file of its own (RFC 5322), which only the platform's user may read. Names begin with the
 * id, a UUIDv7, so they are in the order of sending.
 */
export function folderTransport(folder: string, from: string, most = MOST_MESSAGES): MailTransport {
  const composer = createTransport({ streamTransport: true, buffer: true, newline: 'windows' });
  return {
    async deliver(id, message) {
      const { message: bytes } = await composer.sendMail(messageOptions(id, from, message));
      await mkdir(folder, { recursive: true, mode: 0o700 });
      const path = join(folder, `${id}${MAIL_ENDING}`);
      await writeFile(`${path}.new`, bytes, { mode: 0o600 });
      await rename(`${path}.new`, path);
      const names = (await readdir(folder)).filter((name) => name.endsWith(MAIL_ENDING)).sort();
      for (const name of names.slice(0, -most)) await rm(join(folder, name), { force: true });
    },
    close: () => composer.close(),
  };
}

import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { until } from '../../server/src/testing/until.ts';

/** The text of the newest message with this subject to an address, from the mail folder; waits for it. */
export async function mailTo(folder: string, address: string, subject: string): Promise<string> {
  let found: string | undefined;
  await until(async () => {
    const names = await readdir(folder).catch(() => []);
    for (const name of names.sort().reverse()) {
      if (!name.endsWith('.eml')) continue;
      const message = await readFile(join(folder, name), 'latin1');
      if (message.includes(`To: ${address}\r\n`) && message.includes(`Subject: ${subject}\r\n`)) {
        found = decoded(message);
        return true;
      }
    }
    return false;
  });
  return found ?? '';
}

/** Quoted-printable to text (RFC 2045, section 6.7). */
function decoded(message: string): string {
  return message
    .replace(/=\r\n/g, '')
    .replace(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
}

import { Readable } from 'node:stream';
import { day, t } from '../../../kernel/languages/message.ts';
import type { Mail } from '../../../platform/mail/compose-mail.ts';
import { queueMail } from '../../../platform/mail/mail.ts';
import type { Platform } from '../../../platform/platform.ts';
import { ARCHIVE_PARTS, type ArchivePart } from './archive-parts.sql.ts';
import { archiveRows, claimArchive, completeArchive } from './archives.store.ts';
import { zipFile } from './zip-file.ts';

type Needs = Pick<Platform, 'db' | 'clock' | 'store' | 'jobs' | 'secrets' | 'config'>;

/** Days for which a file is kept. */
export const ARCHIVE_DAYS = 7;
const DAY_MS = 86_400_000;

const README = `This archive has what your account has on the server, as it was when you asked for it.

*.json files have one object, *.jsonl files one JSON object a line (https://jsonlines.org). Times are UTC. Ids are
those of addresses and of the API. Passwords, keys and other secrets are not in it.

files.jsonl lists your uploads: "download" is the address of the file. It works for 7 days while you are signed in.
`;

/** Writes an archive as one ZIP file, and tells its account by mail. A worker that was lost is followed by another. */
export async function writeArchive(platform: Needs, archiveId: string): Promise<void> {
  const { db, clock, store, config } = platform;
  const claimed = await claimArchive(db, archiveId);
  if (!claimed) return;
  const { accountId, attempt } = claimed;
  const objectKey = `exports/${archiveId}/${attempt}.zip`;
  const originals = `${config.BASE_URL}/account-archives/${archiveId}/files/`;
  const entries = [
    { name: 'README.txt', text: once(README) },
    ...ARCHIVE_PARTS.map((part) => ({ name: part.name, text: textOf(platform, part, accountId, originals) })),
  ];
  const bytes = Readable.from(zipFile(entries, new Date(clock.now())));
  const { sizeBytes } = await store.put(objectKey, bytes, { contentType: 'application/zip' });
  const nowMs = clock.now();
  const [nowIso, expiresAt] = [nowMs, nowMs + ARCHIVE_DAYS * DAY_MS].map((ms) => new Date(ms).toISOString()) as [
    string,
    string,
  ];
  await db.transaction(async (tx) => {
    const done = { id: archiveId, attempt, objectKey, sizeBytes, nowIso, expiresAt };
    const account = await completeArchive(tx, done);
    if (account) await queueMail(platform, tx, readyMail(account, expiresAt, config.BASE_URL));
  });
}

async function* once(text: string): AsyncGenerator<string> {
  yield text;
}

async function* textOf({ db }: Needs, part: ArchivePart, accountId: string, originals: string): AsyncGenerator<string> {
  let isEmpty = true;
  for await (const row of archiveRows(db, part, accountId, originals)) {
    isEmpty = false;
    yield `${row}\n`;
  }
  if (isEmpty && part.shape === 'object') yield 'null\n';
}

function readyMail({ email, username }: { email: string; username: string }, expiresAt: string, baseUrl: string): Mail {
  return {
    to: email,
    subject: t`Your data is ready`,
    paragraphs: [
      t`The archive of the account ${username} can be downloaded until ${day(Date.parse(expiresAt))}, while you are
        signed in.`,
      t`If you did not ask for it, change your password: someone knows it.`,
    ],
    action: { label: t`Download`, url: `${baseUrl}/settings/account#data` },
  };
}

import type { Executor } from '../../../platform/db/database.ts';
import { sql } from '../../../platform/db/statement.ts';

export type LegalKind = 'terms' | 'privacy';

/** Terms of service or a privacy policy. */
export interface LegalText {
  readonly markdown: string;
  /** ISO 8601. */
  readonly changedAt: string;
}

const READ = sql('read_legal_texts', 'select kind, markdown, changed_at as "changedAt" from instance_texts');
const WRITE = sql(
  'write_legal_text',
  `insert into instance_texts (kind, markdown, changed_at) values ($1, $2, $3)
   on conflict (kind) do update set markdown = excluded.markdown, changed_at = excluded.changed_at
   where instance_texts.markdown <> excluded.markdown returning kind`,
);
const REMOVE = sql('remove_legal_text', 'delete from instance_texts where kind = $1 returning kind');

/** The texts of this server. */
export async function readLegalTexts(db: Executor): Promise<Partial<Record<LegalKind, LegalText>>> {
  const rows = await db.run<LegalText & { kind: LegalKind }>(READ, []);
  return Object.fromEntries(rows.map(({ kind, ...text }) => [kind, text]));
}

/** Stores a text, or removes it; whether that changed anything. */
export async function writeLegalText(
  tx: Executor,
  kind: LegalKind,
  markdown: string | null,
  nowIso: string,
): Promise<boolean> {
  const changed = await (markdown === null ? tx.run(REMOVE, [kind]) : tx.run(WRITE, [kind, markdown, nowIso]));
  return changed.length > 0;
}

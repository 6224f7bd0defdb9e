import type { Executor } from '../../../platform/db/database.ts';
import { sql } from '../../../platform/db/statement.ts';

export interface StoredLogo {
  readonly png: Buffer;
  readonly width: number;
  readonly height: number;
  readonly digest: string;
}

const READ = sql('read_instance_logo', 'select png, width, height, digest from instance_logo');
const WRITE = sql(
  'write_instance_logo',
  `insert into instance_logo (png, width, height, digest, changed_at) values ($1, $2, $3, $4, $5)
   on conflict (singleton) do update set png = excluded.png, width = excluded.width, height = excluded.height,
     digest = excluded.digest, changed_at = excluded.changed_at
   where instance_logo.digest <> excluded.digest returning digest`,
);
const REMOVE = sql('remove_instance_logo', 'delete from instance_logo returning digest');

/** The logo of this server; null: ours. */
export function readLogo(db: Executor): Promise<StoredLogo | null> {
  return db.first<StoredLogo>(READ, []);
}

/** Stores the logo, or removes it; whether that changed anything. */
export async function writeLogo(tx: Executor, logo: StoredLogo | null, nowIso: string): Promise<boolean> {
  const changed = logo
    ? await tx.run(WRITE, [logo.png, logo.width, logo.height, logo.digest, nowIso])
    : await tx.run(REMOVE, []);
  return changed.length > 0;
}

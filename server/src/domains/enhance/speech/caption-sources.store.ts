import type { Executor } from '../../../platform/db/database.ts';
import { sql } from '../../../platform/db/statement.ts';

/** Captions that can be translated. */
export interface CaptionsSource {
  readonly id: string;
  readonly language: string;
  readonly vtt: string;
  /** The video whose speech automatic ones have. */
  readonly spokenIn: string | null;
}

const COLUMNS = 'id, language, vtt, spoken_in as "spokenIn"';
const TRANSLATABLE = `kind <> 'DESCRIPTIONS' and not is_forced and automatic is distinct from 'TRANSLATION'`;

const ONE = sql(
  'captions_source',
  `select ${COLUMNS} from captions where id = $1 and content_id = $2 and ${TRANSLATABLE}`,
);

/** Captions of a content by their id; null where they are gone. */
export function captionsSource(db: Executor, id: string, contentId: string): Promise<CaptionsSource | null> {
  return db.first(ONE, [id, contentId]);
}

const IN_LANGUAGE = sql(
  'captions_source_in',
  `select ${COLUMNS} from captions where content_id = $1 and language = $2 and ${TRANSLATABLE}
   order by automatic is not null, created_at, id limit 1`,
);

/** The captions of a content in a language, those of people first; null where there are none. */
export function captionsSourceIn(db: Executor, contentId: string, language: string): Promise<CaptionsSource | null> {
  return db.first(IN_LANGUAGE, [contentId, language]);
}

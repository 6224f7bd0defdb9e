import type { FeatureName } from '../../kernel/features.ts';
import type { ChangedQuotas } from '../../kernel/plans.ts';
import type { Config } from '../config/config.ts';
import type { Executor } from '../db/database.ts';
import { sql } from '../db/statement.ts';

/** The name of a server whose operators gave it none. */
export const DEFAULT_NAME = 'Reelgraph';
/** Where processes learn that the settings changed. */
export const INSTANCE_CHANNEL = 'reelgraph_instance';

/** What operators stored; null: the default. */
export interface StoredInstance {
  readonly name: string | null;
  readonly signUp: Config['SIGN_UP'] | null;
  readonly termsUrl: string | null;
  readonly privacyUrl: string | null;
  /** Features that are switched off; see kernel/features.ts. */
  readonly featuresOff: readonly FeatureName[];
  /** Quotas of plans that differ from the defaults. */
  readonly planQuotas: ChangedQuotas;
  /** `#rrggbb`; null: ours. */
  readonly accentColor: string | null;
  /** Number of changes of these, the texts and the logo. */
  readonly revision: number;
}

/** The settings as they apply. */
export interface InstanceSettings extends StoredInstance {
  readonly name: string;
  readonly signUp: Config['SIGN_UP'];
  /** When the texts of terms and privacy policy changed, which then replace their addresses; null without a text. */
  readonly termsChangedAt: string | null;
  readonly privacyChangedAt: string | null;
  /** Null: ours. */
  readonly logo: LogoFacts | null;
}

/** The logo of a server, which is at `logoPath`. */
export interface LogoFacts {
  readonly digest: string;
  /** Pixels. */
  readonly width: number;
  readonly height: number;
}

/** Where a logo is, below BASE_URL. */
export const logoPath = ({ digest }: LogoFacts): string => `/logo/${digest}.png`;

/** Whether a logo also suits browser tabs: 2 % are not seen there. */
export const isSquare = ({ width, height }: Pick<LogoFacts, 'width' | 'height'>): boolean =>
  Math.abs(width / height - 1) <= 0.02;

type ReadRow = StoredInstance & Pick<InstanceSettings, 'termsChangedAt' | 'privacyChangedAt' | 'logo'>;
type Needs = { readonly config: Pick<Config, 'SIGN_UP'>; readonly db: Executor };

const COLUMNS = `name, sign_up as "signUp", terms_url as "termsUrl", privacy_url as "privacyUrl",
  features_off as "featuresOff", plan_quotas as "planQuotas", accent_color as "accentColor", revision`;
/** SQL: the quotas that operators changed, for statements that read a plan; null if they changed no settings. */
export const CHANGED_QUOTAS = '(select i.plan_quotas from instance_settings i)';
const changedAt = (kind: string): string => `(select t.changed_at from instance_texts t where t.kind = '${kind}')`;
const READ = sql(
  'read_instance_settings',
  `select ${COLUMNS}, ${changedAt('terms')} as "termsChangedAt", ${changedAt('privacy')} as "privacyChangedAt",
     (select json_build_object('digest', l.digest, 'width', l.width, 'height', l.height) from instance_logo l) as logo
   from instance_settings`,
);
const LOCK = sql('lock_instance_settings', `select pg_advisory_xact_lock(hashtextextended('instance settings', 0))`);
const STORED = sql('stored_instance_settings', `select ${COLUMNS} from instance_settings`);
const WRITE = sql(
  'write_instance_settings',
  `with changed as (
     insert into instance_settings as i
       (name, sign_up, terms_url, privacy_url, features_off, plan_quotas, accent_color, updated_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8)
     on conflict (singleton) do update set name = $1, sign_up = $2, terms_url = $3, privacy_url = $4, features_off = $5,
       plan_quotas = $6, accent_color = $7, updated_at = $8, revision = i.revision + 1)
   select pg_notify('${INSTANCE_CHANNEL}', '')`,
);
const NOTHING: StoredInstance = {
  ...{ name: null, signUp: null, termsUrl: null, privacyUrl: null },
  ...{ featuresOff: [], planQuotas: {}, accentColor: null, revision: 0 },
};

const NO_ROW: ReadRow = { ...NOTHING, termsChangedAt: null, privacyChangedAt: null, logo: null };

/** Reads the settings as they apply now. */
export async function readInstance({ db, config }: Needs): Promise<InstanceSettings> {
  return withDefaults((await db.first<ReadRow>(READ, [])) ?? NO_ROW, config);
}

/** What operators stored; nobody else changes it until the end of the transaction. */
export async function lockInstance(tx: Executor): Promise<StoredInstance> {
  await tx.run(LOCK, []);
  return (await tx.first<StoredInstance>(STORED, [])) ?? NOTHING;
}

/** Stores the settings and notifies all processes when the transaction is committed. */
export async function writeInstance(tx: Executor, settings: StoredInstance, nowIso: string): Promise<void> {
  const { name, signUp, termsUrl, privacyUrl, featuresOff, planQuotas, accentColor } = settings;
  const quotas = JSON.stringify(planQuotas);
  await tx.run(WRITE, [name, signUp, termsUrl, privacyUrl, featuresOff, quotas, accentColor, nowIso]);
}

function withDefaults(stored: ReadRow, { SIGN_UP }: Pick<Config, 'SIGN_UP'>): InstanceSettings {
  return { ...stored, name: stored.name ?? DEFAULT_NAME, signUp: stored.signUp ?? SIGN_UP };
}

/** The settings without a database: those of the environment. */
export function defaultInstance(config: Pick<Config, 'SIGN_UP'>): InstanceSettings {
  return withDefaults(NO_ROW, config);
}

import { namedStatement, type SqlReader, type Statement } from '@reelgraph/sql-planner';
import { credentialValue } from './requests.ts';
import type { Credential, ViewerSource } from './viewer.ts';

/** How long a stream or connection may stay open after its credential was replaced, revoked or has expired. */
const CHECK_MS = 5_000;

export interface CredentialWatchOptions {
  readonly db: SqlReader;
  readonly viewerSource: ViewerSource;
  readonly clock: { now(): number };
  readonly log: { error(context: object, message: string): void };
}

type CheckedKind = Exclude<Credential['kind'], 'anonymous'>;

interface Watched {
  readonly credential: Credential & { kind: CheckedKind };
  readonly refused: () => void;
}

/**
 * Checks the credentials behind open streams and connections, wherever they were replaced: one round trip every few
 * seconds, while there are any. Messages are authorized one by one besides; this ends what is silent.
 */
export class CredentialWatch {
  readonly #options: CredentialWatchOptions;
  readonly #statements: Readonly<Record<CheckedKind, Statement>>;
  readonly #watched = new Set<Watched>();
  #timer: NodeJS.Timeout | null = null;

  constructor(options: CredentialWatchOptions) {
    this.#options = options;
    const { key, token, oauth, session } = options.viewerSource;
    this.#statements = {
      key: accountsBy(key, 'bytea'),
      token: accountsBy(token, 'bytea'),
      oauth: accountsBy(oauth, 'text'),
      session: accountsBy(session, 'text'),
    };
  }

  /** The account of a credential; null if it is not valid. Rejects when the database does. */
  async accountOf(credential: Credential): Promise<string | null> {
    if (credential.kind === 'anonymous') return null;
    const [rows = []] = await this.#options.db.together([this.#call(credential.kind, [credential])]);
    return rows[0]?.[0] as string | null; // the statement's only column
  }

  /** Calls `refused` once, when the credential is no longer valid. Returns what ends that. */
  watch(credential: Credential, refused: () => void): () => void {
    if (!isChecked(credential)) return () => {};
    const watched: Watched = { credential, refused };
    this.#watched.add(watched);
    this.#schedule();
    return () => void this.#watched.delete(watched);
  }

  #schedule(): void {
    if (this.#timer !== null || this.#watched.size === 0) return;
    this.#timer = setTimeout(() => {
      void this.#check().finally(() => {
        this.#timer = null;
        this.#schedule();
      });
    }, CHECK_MS).unref();
  }

  async #check(): Promise<void> {
    const groups = [...Map.groupBy(this.#watched, ({ credential }) => credential.kind)];
    if (groups.length === 0) return;
    const calls = groups.map(([kind, group]) =>
      this.#call(
        kind,
        group.map(({ credential }) => credential),
      ),
    );
    try {
      const found = await this.#options.db.together(calls);
      for (const [index, [, group]] of groups.entries()) this.#refuse(group, found[index] ?? []);
    } catch (error) {
      // Nothing is known about any of them; each message is authorized anyway.
      this.#options.log.error({ error }, 'the credentials of open streams could not be checked');
    }
  }

  /** `accounts` has a row for each of the group, in its order. */
  #refuse(group: readonly Watched[], accounts: readonly (readonly unknown[])[]): void {
    for (const [index, watched] of group.entries()) {
      // One whose watch has ended meanwhile is not called.
      if (accounts[index]?.[0] === null && this.#watched.delete(watched)) watched.refused();
    }
  }

  #call(kind: CheckedKind, credentials: readonly Credential[]) {
    const statement = this.#statements[kind];
    const values = credentials.map(credentialValue);
    const now = new Date(this.#options.clock.now()).toISOString();
    return { statement, values: statement.text.includes('$2') ? [values, now] : [values] };
  }
}

function isChecked(credential: Credential): credential is Watched['credential'] {
  return credential.kind !== 'anonymous';
}

/** The account of each value of an array, in its order; null for values that are no valid credential. */
function accountsBy(viewerRows: string, type: 'bytea' | 'text'): Statement {
  const rows = viewerRows.replaceAll(/\$1\b/g, 'given.value').replaceAll(/\$2\b/g, '$2::timestamptz');
  return namedStatement(
    'accounts_of_credentials',
    `select v.account_id from unnest($1::${type}[]) with ordinality as given(value, position)
      left join lateral (${rows}) v on true order by given.position`,
  );
}

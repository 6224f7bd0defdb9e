import { type Client, createClient } from '../../client/src/index.ts';
import { type Account, findAccount } from './account.ts';
import type { Values } from './arguments.ts';
import { CliError, EXIT } from './failures.ts';
import type { Environment } from './folders.ts';
import { Terminal } from './terminal.ts';
import { VERSION } from './version.ts';

/** One run of a command: what was said, and where answers go. */
export class Call {
  readonly values: Values;
  readonly env: Environment;
  /** Aborted with `Interrupted` by Ctrl-C. */
  readonly signal: AbortSignal;
  /** Answers. */
  readonly out: Terminal;
  /** Progress and remarks, which are no answer. */
  readonly err: Terminal;

  constructor(values: Values, env: Environment, signal: AbortSignal) {
    this.values = values;
    this.env = env;
    this.signal = signal;
    this.out = new Terminal(process.stdout, env);
    this.err = new Terminal(process.stderr, env);
  }

  get isJson(): boolean {
    return this.values.flag('json');
  }

  get isQuiet(): boolean {
    return this.values.flag('quiet');
  }

  /** The answer: as a document with --json, otherwise as `tell` writes it. */
  answer(document: unknown, tell: (out: Terminal) => void): void {
    if (this.isJson) this.out.line(JSON.stringify(document, null, 2));
    else tell(this.out);
  }

  /** Something to know beside the answer. */
  remark(text: string): void {
    if (!this.isQuiet && !this.isJson) this.err.line(text);
  }

  account(): Promise<Account> {
    return findAccount(this.env, this.values.text('url'));
  }

  /** A client with the account's key. Throws CliError without one. */
  async client(): Promise<Client> {
    const { url, key } = await this.account();
    if (key === null) {
      const fix = 'Run `reelgraph login`, or set REELGRAPH_KEY. The key is in Developer Settings of the studio.';
      throw new CliError(`There is no key for ${url}.`, fix, EXIT.notAuthorised);
    }
    return clientOf(url, key);
  }

  /** Number of entries asked for. */
  limit(otherwise = 20): number {
    return this.values.number('limit', 1, 100_000) ?? otherwise;
  }

  /** Identifier of the channel that --channel names, by its handle too; undefined without it. */
  async namedChannel(client: Client): Promise<string | undefined> {
    const named = this.values.text('channel');
    return named === undefined ? undefined : channelId(client, named, this.signal);
  }

  /** Identifier of the channel that is worked on. */
  async channel(client: Client): Promise<string> {
    return (await this.namedChannel(client)) ?? (await client.verifyConnection({}, { signal: this.signal })).channel.id;
  }
}

/** A client that names itself as the command line. */
export function clientOf(url: string, key: string, fetch: typeof globalThis.fetch = globalThis.fetch): Client {
  return createClient({ url, key, fetch, userAgent: `reelgraph-cli/${VERSION} node/${process.versions.node}` });
}

async function channelId(client: Client, named: string, signal: AbortSignal): Promise<string> {
  if (named.startsWith('did:')) return named;
  return (await client.channel({ handle: named.replace(/^@/, '') }, { signal })).id;
}

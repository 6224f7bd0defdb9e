import type { CommandUnknownOpts } from '@commander-js/extra-typings';
import { type Client, createClient } from '../../clients/typescript/src/index.ts';
import { type Account, findAccount } from './account.ts';
import { CliError, EXIT } from './errors.ts';
import type { Environment } from './folders.ts';
import { interruptSignal } from './interrupt.ts';
import { Terminal } from './terminal.ts';
import { VERSION } from './version.ts';

/** Options that every command takes. */
interface GlobalOptions {
  readonly json?: boolean;
  readonly quiet?: boolean;
  readonly url?: string;
}

/** Context of an invocation: account, abort signal, and output. */
export class CommandContext {
  readonly env: Environment = process.env;
  /** Aborted with `Interrupted` by Ctrl-C. */
  readonly signal: AbortSignal = interruptSignal();
  /** Results. */
  readonly out = new Terminal(process.stdout, this.env);
  /** Progress, notes and errors. */
  readonly err = new Terminal(process.stderr, this.env);
  readonly isJson: boolean;
  readonly isQuiet: boolean;
  /** The value of --url. */
  readonly url: string | undefined;

  constructor({ json = false, quiet = false, url }: GlobalOptions) {
    this.isJson = json;
    this.isQuiet = quiet;
    this.url = url;
  }

  /** Prints the result: as a document with --json, otherwise as `print` formats it. */
  result(document: unknown, print: (out: Terminal) => void): void {
    if (this.isJson) this.out.line(JSON.stringify(document, null, 2));
    else print(this.out);
  }

  /** Prints a change that was made: as a document with --json, otherwise as a line with its subject. */
  done(document: unknown, verb: string, subject: string): void {
    this.result(document, (out) => out.line(`${out.style('green', '✔')} ${verb} ${subject}`));
  }

  /** Prints a note that is not part of the result. */
  note(text: string): void {
    if (!this.isQuiet && !this.isJson) this.err.line(text);
  }

  account(): Promise<Account> {
    return findAccount(this.env, this.url);
  }

  /** A client with the account's key. Throws CliError without one. */
  async client(fetch?: typeof globalThis.fetch): Promise<Client> {
    const { url, key } = await this.account();
    if (key === null) {
      const fix = 'Run `reelgraph login`, or set REELGRAPH_KEY. Create a key under Developer Settings in the studio.';
      throw new CliError(`No API key for ${url}.`, fix, EXIT.unauthorized);
    }
    return clientFor(url, key, fetch);
  }

  /** Identifier of the channel with this handle or identifier; undefined for undefined. */
  async channelId(client: Client, channel: string | undefined): Promise<string | undefined> {
    if (channel === undefined || channel.startsWith('did:')) return channel;
    return (await client.channel({ handle: channel.replace(/^@/, '') }, { signal: this.signal })).id;
  }

  /** As `channelId`; the account's own channel for undefined. */
  async channelIdOrOwn(client: Client, channel: string | undefined): Promise<string> {
    const id = await this.channelId(client, channel);
    return id ?? (await client.verifyConnection({}, { signal: this.signal })).channel.id;
  }
}

/** The context of a command that is running. */
export function contextOf(command: CommandUnknownOpts): CommandContext {
  return new CommandContext(command.optsWithGlobals() as GlobalOptions); // the program declares them
}

/** A client that identifies itself as the command line. */
export function clientFor(url: string, key: string, fetch: typeof globalThis.fetch = globalThis.fetch): Client {
  return createClient({ url, key, fetch, userAgent: `reelgraph-cli/${VERSION} node/${process.versions.node}` });
}

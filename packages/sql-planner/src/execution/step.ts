import type { PlannedRoot, ResolveRoot } from '../plan/planner.ts';
import type { PlannedRead, ReadInput } from '../plan/read.ts';
import type { Ports } from '../ports.ts';
import type { Access, CommandContext, Env, SubscriptionContext, Viewer } from '../register.ts';
import { type Projection, type Shaped, ShapeState } from '../rows/shape.ts';
import type { PayloadValue } from '../schema/commands.ts';
import type { Call, Row, SqlClient, SqlReader } from '../statements/sql.ts';
import type { Prepared } from '../statements/statement-builder.ts';
import type { StatementInput } from '../statements/statement-input.ts';
import { asError, asPayload, attemptTo, callOf, collectCalls, isUnreadable } from './calls.ts';
import type { Execution, ExecutionRequest } from './execution.ts';

const NO_PAYLOAD: Readonly<Record<string, unknown>> = Object.freeze({});
const NO_DENIALS: ReadonlyMap<string, Error> = new Map();

export interface ExecutorOptions {
  readonly db: SqlReader;
  readonly ports: Ports;
  /** Time limit of commands and resolvers that declare none. */
  readonly timeoutMs: number;
}

/** A request while it is executed: its result so far. */
export class ExecutionStep implements Execution {
  readonly request: ExecutionRequest;
  viewer: Viewer | null = null;
  readonly values = new Map<string, unknown>();
  points = 0;
  isComplete = true;
  failure: Execution['failure'] = null;
  readonly #options: ExecutorOptions;
  readonly #viewerStatement: Prepared;
  #denied: Map<string, Error> | null = null;
  #env: Env;
  #isIdentified = false;
  /** The error of an invalid credential, once known. */
  #refusal: Error | null = null;

  constructor(options: ExecutorOptions, request: ExecutionRequest, viewerStatement: Prepared) {
    this.#options = options;
    this.#viewerStatement = viewerStatement;
    this.request = request;
    this.#env = request.env;
  }

  get denied(): ReadonlyMap<string, Error> {
    return this.#denied ?? NO_DENIALS;
  }

  /** The application's view of the request, with the viewer once it is known. */
  get env(): Env {
    return this.#env;
  }

  get ports(): Ports {
    return this.#options.ports;
  }

  get db(): SqlReader {
    return this.#options.db;
  }

  /** All root fields in one round trip, the viewer with them. */
  async read(roots: readonly PlannedRoot[]): Promise<void> {
    const input = this.input({});
    const calls: Call[] = [];
    const reads: Array<{ key: string; access: Access; read: PlannedRead; from: number }> = [];
    for (const root of roots) {
      if (root.kind === 'invalid') this.values.set(root.key, root.error);
      if (root.kind !== 'read') continue;
      const from = calls.length;
      const error = collectCalls(root.read.statements, input, calls);
      if (error) this.values.set(root.key, error);
      else reads.push({ key: root.key, access: root.access, read: root.read, from });
    }
    if (calls.length === 0) calls.push(callOf(this.#viewerStatement, input));
    const results = await this.db.settled(calls);
    const answered = results.find((result) => !(result instanceof Error));
    if (answered)
      this.admit(answered as Row[]); // not an Error
    else await this.identify();
    for (const { key, access, read, from } of reads) {
      const own = reads.length === 1 ? results : results.slice(from, from + read.statements.length);
      this.values.set(key, this.#refused(key, access) ?? this.#shaped(read, own));
    }
    if (reads.length < roots.length) for (const root of roots) if (root.kind === 'resolve') await this.#resolve(root);
  }

  /** The value of a root field that was read, or the error of one of its statements. */
  #shaped(read: PlannedRead, results: readonly (Row[] | Error)[]): unknown {
    const failed = results.find((result) => result instanceof Error);
    if (failed) return asError(this.errorOf(failed, read.statements));
    return attemptTo(() => this.keep(read.shape(results as Row[][], this.shapeInput())));
  }

  #resolve({ key, access, plan, payload, project, args }: ResolveRoot): Promise<void> {
    return this.settle(key, async () => {
      const given = args(this.request.variables);
      plan.check?.(given);
      this.require(key, access);
      return this.timed(plan.timeoutMs, async (context) =>
        this.respondWith(await plan.resolve(context, given), payload, project),
      );
    });
  }

  /** Takes the value of a root field, or its error. Errors of the credential end the request. */
  async settle(key: string, work: () => Promise<unknown>): Promise<void> {
    try {
      this.values.set(key, await work());
    } catch (error) {
      if (this.#refusal) throw error;
      this.values.set(key, asError(error));
    }
  }

  /** Fails as a whole where there is nothing but errors, and one of them is no fault of the request. */
  end(): void {
    const values = [...this.values.values()];
    if (!values.every((value) => value instanceof Error)) return;
    const fatal = values.find((value) => this.ports.errors.isFatal(value));
    if (fatal) this.failure = { error: fatal };
  }

  /**
   * What the response holds of what a command or resolver returned: rows read by its identifiers, or what is selected
   * of it.
   */
  async respondWith(
    value: unknown,
    payload: PlannedRead | null,
    project: Projection | null,
    client?: SqlClient,
  ): Promise<unknown> {
    if (value == null) return null;
    if (payload) return this.readPayload(payload, asPayload(value as PayloadValue), client); // as the declaration says
    return project ? this.project(value, project) : value;
  }

  /** What is selected of a plain value. */
  project(value: unknown, project: Projection): unknown {
    const state = new ShapeState();
    const projected = project(value, state);
    this.isComplete &&= state.isComplete;
    return projected;
  }

  /** `client` sees what the command has written: the one that it was sent by. */
  async readPayload(
    read: PlannedRead,
    payload: Readonly<Record<string, unknown>>,
    client: SqlClient = this.db,
  ): Promise<unknown> {
    const calls: Call[] = [];
    const error = collectCalls(read.statements, this.input({ payload }), calls);
    if (error) throw error;
    try {
      return this.keep(read.shape(await client.together(calls), this.shapeInput(payload)));
    } catch (error) {
      throw this.errorOf(error, read.statements);
    }
  }

  /** Takes what rows became into the result. */
  keep({ value, points, isComplete }: Shaped): unknown {
    this.points += points;
    this.isComplete &&= isComplete;
    return value;
  }

  /** What values of statements are computed from, with what this step adds to the request. */
  input(more: Partial<Pick<StatementInput, 'payload' | 'prepared' | 'isPreconditionMet'>>): StatementInput {
    const { credential, now, variables } = this.request;
    const { payload = NO_PAYLOAD, prepared, isPreconditionMet = false } = more;
    return { env: this.#env, credential: credential.value, now, variables, payload, prepared, isPreconditionMet };
  }

  shapeInput(payload = NO_PAYLOAD): ReadInput {
    return { env: this.#env, payload, variables: this.request.variables };
  }

  /**
   * What an error of the database is to the sender of these statements: a forged cursor can hold what PostgreSQL
   * refuses.
   */
  errorOf(error: unknown, statements: readonly Prepared[]): unknown {
    if (!isUnreadable(error) || !statements.some(({ readsCursors }) => readsCursors)) return error;
    return this.ports.errors.invalidArgument('A cursor holds a value that is not possible.', { cause: error });
  }

  /** Finds out who sends the request, where no other statement has. */
  async identify(): Promise<void> {
    if (this.#refusal) throw this.#refusal;
    if (this.#isIdentified) return;
    const rows = await this.db.together([callOf(this.#viewerStatement, this.input({}))]);
    this.admit(rows[0]);
  }

  /** Takes the viewer from the first row; no row means that the credential is not valid. */
  admit(rows: readonly Row[] | undefined): void {
    if (this.#isIdentified) return;
    const { viewer, permissions } = this.ports;
    const { kind } = this.request.credential;
    const row = rows?.[0];
    if (!row) this.#refuse(viewer.invalid(kind));
    this.#isIdentified = true;
    this.viewer = viewer.unpack(row[0], kind);
    this.#env = viewer.identified(this.#env, this.viewer);
    const refused = permissions.refuseAlways(this.#env, this.viewer);
    if (refused) this.#refuse(refused);
  }

  /** Throws where the viewer may not use a root field. */
  require(key: string, access: Access): void {
    const denied = this.#refused(key, access);
    if (denied) throw denied;
  }

  #refused(key: string, access: Access): Error | null {
    const denied = this.ports.permissions.refuse(this.#env, this.viewer, access);
    if (denied) {
      this.#denied ??= new Map();
      this.#denied.set(key, denied);
    }
    return denied;
  }

  #refuse(error: Error): never {
    this.#refusal = error;
    throw error;
  }

  /** What a command, a resolver or the source of a subscription gets. */
  context(signal: AbortSignal | null): SubscriptionContext {
    return this.ports.viewer.contextOf(this.#env, signal);
  }

  /** Runs `work` under a time limit, with a signal that says when it is over. */
  async timed<T>(timeoutMs: number | undefined, work: (context: CommandContext) => T | Promise<T>): Promise<T> {
    const limitMs = timeoutMs ?? this.#options.timeoutMs;
    const over = new AbortController();
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => {
        over.abort();
        reject(this.ports.errors.timedOut(limitMs));
      }, limitMs);
    });
    try {
      return await Promise.race([work(this.context(over.signal)), late]);
    } finally {
      clearTimeout(timer);
    }
  }
}

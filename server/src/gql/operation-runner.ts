import { AppError } from '../kernel/errors.ts';
import type { KeySpending } from '../kernel/key-budgets.ts';
import type { Access } from '../kernel/permissions.ts';
import { asError, attemptTo, conflictOf, invalidCredential, isOutage, isUnreadable } from './errors/error-kinds.ts';
import { codeOf } from './errors/render-errors.ts';
import { agentName, subjectOf, type UsageLimits } from './limits/usage-limits.ts';
import { brokenPromise, refusalOf } from './plan/compose-command.ts';
import type { PayloadValue, SubscriptionEvent } from './plan/declarations.ts';
import type { MutationRoot, OperationPlan, PlannedRoot, ResolveRoot, SubscriptionRoot } from './plan/operation.ts';
import type { ReadPlanned } from './plan/root.ts';
import type { Row } from './plan/shape.ts';
import { type Prepared, StatementBuilder, VIEWER, valuesOf } from './plan/statement-builder.ts';
import type { RequestContext } from './request-context.ts';
import type { Call, SqlClient } from './sql.ts';
import { type Authorize, type Credential, type CredentialKind, unpackViewer, type ViewerSource } from './viewer.ts';

interface RunnerOptions {
  readonly db: SqlClient;
  readonly viewerSource: ViewerSource;
  readonly authorize: Authorize;
  readonly usageLimits?: UsageLimits;
}

/** A statement that did nothing, because budgets come first. */
const HELD = Symbol('held');

/** Runs the root fields of a plan and leaves their values, or errors, in `run.roots`. */
export class OperationRunner {
  readonly #options: RunnerOptions;
  readonly #timeoutMs: number;
  readonly #viewerOnly = new Map<CredentialKind, Prepared>();

  constructor(options: RunnerOptions, timeoutMs: number) {
    this.#options = options;
    this.#timeoutMs = timeoutMs;
  }

  /** Throws what makes the whole request fail; failures of one root field become its value. */
  run(run: RequestContext, plan: OperationPlan, credential: Credential): Promise<void> {
    const first = plan.roots[0];
    if (first?.kind === 'mutation' || (first?.kind === 'faulty' && plan.roots.some((root) => root.kind === 'mutation')))
      return this.#mutate(run, plan, credential);
    return this.#read(run, plan, credential);
  }

  /** All root fields in one round trip, the viewer with them. */
  async #read(run: RequestContext, plan: OperationPlan, credential: Credential): Promise<void> {
    const calls: Call[] = [];
    const reads: Array<{ key: string; access: Access; read: ReadPlanned; from: number }> = [];
    for (const root of plan.roots) {
      if (root.kind === 'faulty') run.roots[root.key] = root.error;
      if (root.kind !== 'read') continue;
      const from = calls.length;
      const fault = collectCalls(root.read, run, calls);
      if (fault) run.roots[root.key] = fault;
      else reads.push({ key: root.key, access: root.access, read: root.read, from });
    }
    if (calls.length === 0) calls.push(this.#viewerCall(run, credential.kind));
    const rows = await this.#rowsOf(run, calls);
    this.#admit(run, rows[0], credential);
    for (const { key, access, read, from } of reads) {
      run.roots[key] =
        this.#judged(run, key, access) ??
        attemptTo(() => read.value(reads.length === 1 ? rows : rows.slice(from, from + read.statements.length), run));
    }
    if (reads.length < plan.roots.length) await this.#resolve(run, plan.roots);
  }

  async #rowsOf(run: RequestContext, calls: readonly Call[], db: SqlClient = this.#options.db): Promise<Row[][]> {
    try {
      return await db.together(calls);
    } catch (error) {
      throw run.usesCursors && isUnreadable(error)
        ? new AppError('INVALID_INPUT', 'A cursor holds a value that is not possible.', { cause: error })
        : error;
    }
  }

  /** Begins to follow what a subscription names; its messages are then run one by one. */
  async follow(run: RequestContext, root: SubscriptionRoot, credential: Credential): Promise<AsyncIterable<SubscriptionEvent>> {
    await this.authenticate(run, credential);
    const denied = this.#judged(run, root.key, root.access);
    if (denied) throw denied;
    // The time limit is for the beginning: what is followed lives as long as someone listens.
    return root.plan.source(run, root.args(run.variables));
  }

  async #resolve(run: RequestContext, roots: readonly PlannedRoot[]): Promise<void> {
    for (const root of roots) {
      if (root.kind !== 'resolve') continue;
      const denied = this.#judged(run, root.key, root.access);
      try {
        run.roots[root.key] = denied ?? (await this.#timed(run, root.plan.timeoutMs, (timed) => this.#resolveOne(timed, run, root)));
      } catch (error) {
        run.roots[root.key] = this.#faultOf(run, error);
      }
    }
  }

  async #resolveOne(timed: RequestContext, run: RequestContext, root: ResolveRoot): Promise<unknown> {
    const value = await root.plan.resolve(timed, root.args(run.variables));
    if (!root.payload || value == null) return value;
    // A type with `read` fields is answered with ids, as its declaration says.
    return this.#readPayload(run, root.payload, value as PayloadValue);
  }

  /** Mutations run one after another (GraphQL section 6.2.2). */
  async #mutate(run: RequestContext, plan: OperationPlan, credential: Credential): Promise<void> {
    for (const root of plan.roots) {
      if (root.kind === 'faulty') run.roots[root.key] = root.error;
      if (root.kind !== 'mutation') continue;
      try {
        run.roots[root.key] = await this.#watched(run, root, credential);
      } catch (error) {
        run.roots[root.key] = this.#faultOf(run, error);
      }
    }
    if (!run.admitted) await this.authenticate(run, credential);
  }

  /** What a key or a connected application does is held to the account's budgets first and written down afterwards, refused or not. */
  async #watched(run: RequestContext, root: MutationRoot, credential: Credential): Promise<unknown> {
    const { usageLimits: keyWatch } = this.#options;
    const args = root.args(run.variables);
    const isProgram = credential.kind === 'key' || credential.kind === 'oauth';
    if (!isProgram || !keyWatch) return this.#carryOut(run, root, args, credential);
    let outcome = 'OK';
    try {
      const spendings = root.plan.spends?.(args);
      if (!spendings?.length) return await this.#carryOut(run, root, args, credential);
      // One statement finds out by itself whether there is a budget at all.
      const value = root.statement ? await this.#statement(run, root, args, credential) : HELD;
      if (value !== HELD) return value;
      return await this.#spending(spendings, keyWatch, run, () => this.#carryOut(run, root, args, credential), credential);
    } catch (error) {
      outcome = codeOf(error);
      // What is refused for its input alone comes here before anyone looked who sent it.
      if (run.refusal === null) await this.authenticate(run, credential);
      throw error;
    } finally {
      const { viewer, client, nowMs } = run;
      if (viewer && root.plan.isRecorded) {
        const { accountId } = viewer;
        const { via = 'API', agent = client.userAgent } = client;
        keyWatch.record({ accountId, atMs: nowMs, via, agent: agentName(agent), operation: root.name, subject: subjectOf(args), outcome });
      }
    }
  }

  /** Takes from the account's budgets first, and gives back where the work failed and surely nothing was done. */
  async #spending<T>(
    spendings: readonly KeySpending[],
    keyWatch: UsageLimits,
    run: RequestContext,
    work: () => Promise<T>,
    credential: Credential,
  ): Promise<T> {
    await this.authenticate(run, credential);
    const giveBack = run.viewer ? await keyWatch.spend(run.viewer.accountId, spendings, run.nowMs) : null;
    run.isBudgeted = true;
    run.hasActed = false;
    try {
      return await work();
    } catch (error) {
      // Behind a time limit or a lost connection the work may go on, or be done.
      if (!run.hasActed && codeOf(error) !== 'SERVICE_UNAVAILABLE') await giveBack?.();
      throw error;
    } finally {
      run.isBudgeted = false;
    }
  }

  #carryOut(run: RequestContext, root: MutationRoot, args: never, credential: Credential): Promise<unknown> {
    return root.statement ? this.#statement(run, root, args, credential) : this.#command(run, root, args, credential);
  }

  /** The command's statement and the read of its payload in one round trip. */
  async #statement(run: RequestContext, root: MutationRoot, args: never, credential: Credential): Promise<unknown> {
    const { statement: planned, payload } = root;
    const command = root.plan.statement;
    if (!planned || !command) throw new TypeError(`${root.key} has no statement`);
    const input = command.prepare(args, run);
    run.input = input;
    run.payload = asPayload(command.payload(input, run));
    const calls: Call[] = [{ statement: planned.prepared.statement, values: valuesOf(planned.prepared, run) }];
    const fault = payload && !planned.payload ? collectCalls(payload, run, calls) : null;
    if (fault) throw fault;
    let rows: Row[][];
    try {
      rows = await this.#rowsOf(run, calls, run.db ?? this.#options.db);
    } catch (error) {
      const conflict = conflictOf(error, command.conflicts, input) ?? brokenPromise(command, error);
      // Any other may be that of the payload's read, whose command was carried out.
      run.hasActed = conflict === null;
      throw conflict ?? error;
    }
    this.#admit(run, rows[0], credential);
    const denied = this.#judged(run, root.key, root.access);
    if (denied) throw denied;
    if (planned.isHeld(rows[0]?.[0] ?? [], run)) return HELD;
    const refused = refusalOf(command, planned.outcome(rows[0]?.[0] ?? []));
    if (refused) throw refused;
    run.hasActed = true;
    if (planned.payload) return planned.payload(rows[0] ?? [], run) ?? (await this.#readPayload(run, payload, run.payload));
    return payload ? payload.value(rows.slice(1), run) : run.payload;
  }

  async #command(run: RequestContext, root: MutationRoot, args: never, credential: Credential): Promise<unknown> {
    await this.authenticate(run, credential);
    const denied = this.#judged(run, root.key, root.access);
    if (denied) throw denied;
    const { command } = root.plan;
    if (!command) throw new TypeError(`${root.key} has no command`);
    const value = await this.#timed(run, root.plan.timeoutMs, (timed) => command(timed, args));
    run.hasActed = true;
    if (value == null) return null;
    return this.#readPayload(run, root.payload, value);
  }

  /** Reads what a command returned by the identifiers in it. */
  async #readPayload(run: RequestContext, payload: ReadPlanned | null, value: PayloadValue): Promise<unknown> {
    run.payload = asPayload(value);
    if (!payload) return run.payload;
    const calls: Call[] = [];
    const fault = collectCalls(payload, run, calls);
    if (fault) throw fault;
    return payload.value(await this.#rowsOf(run, calls), run);
  }

  /** Checks the credential where no other statement does. */
  async authenticate(run: RequestContext, credential: Credential): Promise<void> {
    if (run.admitted) return;
    const rows = await this.#options.db.together([this.#viewerCall(run, credential.kind)]);
    this.#admit(run, rows[0], credential);
  }

  #viewerCall(run: RequestContext, kind: CredentialKind): Call {
    let prepared = this.#viewerOnly.get(kind);
    if (!prepared) {
      const builder = new StatementBuilder(this.#options.viewerSource, kind);
      builder.column(`${VIEWER}.packed`);
      prepared = builder.build('viewer');
      this.#viewerOnly.set(kind, prepared);
    }
    return { statement: prepared.statement, values: valuesOf(prepared, run) };
  }

  /** Takes the viewer from the first row; no row means that the credential is not valid. */
  #admit(run: RequestContext, rows: readonly Row[] | undefined, credential: Credential): void {
    if (run.admitted) return;
    const row = rows?.[0];
    if (!row) this.#refuse(run, invalidCredential(credential));
    run.admitted = true;
    run.viewer = unpackViewer(row[0], credential.kind);
    // What holds for every use of a credential, introspection included: a lapsed subscription.
    const verdict = run.viewer ? this.#options.authorize(run.viewer, 'public', run.nowMs) : null;
    if (verdict?.kind === 'deny') this.#refuse(run, verdict.error);
  }

  #judged(run: RequestContext, key: string, access: Access): AppError | null {
    const verdict = this.#options.authorize(run.viewer, access, run.nowMs);
    if (verdict.kind === 'allow') return null;
    run.denied ??= new Map();
    run.denied.set(key, verdict.error);
    return verdict.error;
  }

  #refuse(run: RequestContext, error: AppError): never {
    run.refusal = error;
    throw error;
  }

  /** Errors of one root field become its value; those of the credential or the database's absence end the request. */
  #faultOf(run: RequestContext, error: unknown): Error {
    if (run.refusal !== null || isOutage(error)) throw error;
    return asError(error);
  }

  /** Runs `work` under a time limit and with a signal that says when it is over. */
  async #timed<T>(run: RequestContext, timeoutMs: number | undefined, work: (run: RequestContext) => T | Promise<T>): Promise<T> {
    const limitMs = timeoutMs ?? this.#timeoutMs;
    const over = new AbortController();
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => {
        over.abort();
        reject(
          new AppError('SERVICE_UNAVAILABLE', `The operation took longer than ${Math.round(limitMs / 1000)} s.`, { retryAfterSeconds: 1 }),
        );
      }, limitMs);
    });
    try {
      run.signal = AbortSignal.any([run.signal, over.signal]);
      return await Promise.race([work(run), late]);
    } finally {
      clearTimeout(timer);
    }
  }
}

/** Adds a read's statements with their values; an argument that is not acceptable is returned as the error it is. */
function collectCalls(read: ReadPlanned, run: RequestContext, calls: Call[]): Error | null {
  const before = calls.length;
  try {
    for (const prepared of read.statements) calls.push({ statement: prepared.statement, values: valuesOf(prepared, run) });
    return null;
  } catch (error) {
    calls.length = before;
    return asError(error);
  }
}

function asPayload(value: PayloadValue): Readonly<Record<string, unknown>> {
  return typeof value === 'string' ? { id: value } : value;
}

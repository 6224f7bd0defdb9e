import { refusalOf, violatedCondition } from '../command/compose-command.ts';
import type { CommandVariants } from '../plan/command-variants.ts';
import type { CommandPermission, PlannedCommand } from '../plan/plan-command.ts';
import type { MutationRoot } from '../plan/planner.ts';
import type { Viewer } from '../register.ts';
import type { StatementCommand } from '../schema/commands.ts';
import type { Call, Row } from '../statements/sql.ts';
import type { Prepared } from '../statements/statement-builder.ts';
import { asPayload, callOf, collectCalls } from './calls.ts';
import { type MutationCall, UNMET } from './execution.ts';
import { withoutLongTexts } from './long-texts.ts';
import type { ExecutionStep } from './step.ts';

/** One mutation of a request. Its arguments are read now: those that are not acceptable throw. */
export class PlannedMutation implements MutationCall {
  readonly args: never;
  mayHaveActed = false;
  readonly #step: ExecutionStep;
  readonly #root: MutationRoot;

  constructor(step: ExecutionStep, root: MutationRoot) {
    this.#step = step;
    this.#root = root;
    this.args = root.args(step.request.variables);
  }

  get name(): string {
    return this.#root.name;
  }

  get extras(): MutationCall['extras'] {
    return this.#root.plan.extras;
  }

  get viewer(): Viewer | null {
    return this.#step.viewer;
  }

  get isStatement(): boolean {
    return this.#root.statement !== null;
  }

  async identify(): Promise<Viewer | null> {
    await this.#step.identify();
    return this.#step.viewer;
  }

  perform(isPreconditionMet: boolean): Promise<unknown> {
    this.mayHaveActed = false;
    const { statement, plan } = this.#root;
    return statement && plan.statement ? this.#send(statement, plan.statement, isPreconditionMet) : this.#call();
  }

  /** The command's statement and the read of its payload in one round trip. */
  async #send(
    variants: CommandVariants<PlannedCommand>,
    command: StatementCommand<never, never>,
    isPreconditionMet: boolean,
  ): Promise<unknown> {
    const step = this.#step;
    const { payload: read, project } = this.#root;
    const given = await this.#read(variants, command, isPreconditionMet);
    if (given === UNMET) return UNMET;
    const prepared = given as never; // by this command
    const planned = variants.of(prepared, step.env);
    const isKnown = command.target.payloadColumns === undefined;
    const payload = isKnown ? asPayload(command.payload(prepared, step.env, {})) : {};
    const input = step.input({ prepared, payload, isPreconditionMet });
    const statements = [planned.prepared, ...(isKnown && read && !planned.payload ? read.statements : [])];
    const calls: Call[] = [];
    const error = collectCalls(statements, input, calls);
    if (error) throw error;
    const rows = await this.#rowsOf(calls, statements, command, prepared);
    if (!this.#admit(rows[0], planned, command, prepared)) return UNMET;
    this.mayHaveActed = true;
    if (!isKnown) {
      const found = command.payload(prepared, step.env, planned.outcome(rows[0]?.[0] ?? []));
      return step.respondWith(found, read, project, step.request.writes ?? step.db);
    }
    if (!read) return project ? step.project(payload, project) : payload;
    if (!planned.payload) return step.keep(read.shape(rows.slice(1), step.shapeInput(payload)));
    const shaped = planned.payload(rows[0] ?? [], step.shapeInput(payload));
    return shaped.value === null ? step.readPayload(read, payload) : step.keep(shaped);
  }

  /** The input of a command. Long texts are read only for those who may write them; UNMET as of `perform`. */
  async #read(
    variants: CommandVariants<PlannedCommand>,
    command: StatementCommand<never, never>,
    isPreconditionMet: boolean,
  ): Promise<unknown> {
    const { parse } = command;
    if (!parse) return command.prepare(this.args, this.#step.env);
    const { args, hasLongTexts } = withoutLongTexts(this.args);
    // The arguments have the types they had, and what prepare made is the command's own.
    const prepared = command.prepare(args as never, this.#step.env);
    const { permission } = variants.of(prepared, this.#step.env);
    if (hasLongTexts && permission) {
      const input = this.#step.input({ prepared, isPreconditionMet });
      const calls = [callOf(permission.prepared, input)];
      const [rows] = await (this.#step.request.writes ?? this.#step.db).together(calls);
      if (!this.#admit(rows, permission, command, prepared)) return UNMET;
    }
    return parse(prepared, this.args, this.#step.env);
  }

  /** Throws where the sender may not do it; false where the precondition is not met. */
  #admit(
    rows: readonly Row[] | undefined,
    planned: CommandPermission,
    command: StatementCommand<never, never>,
    prepared: unknown,
  ): boolean {
    const step = this.#step;
    step.admit(rows);
    step.require(this.#root.key, this.#root.access);
    const row = rows?.[0] ?? [];
    if (planned.isUnmet(row)) return false;
    const given = { input: prepared as never, env: step.env }; // prepared by this command
    const refused = refusalOf(command, planned.outcome(row), step.ports.policies, given);
    if (refused) throw refused;
    return true;
  }

  async #rowsOf(
    calls: readonly Call[],
    statements: readonly Prepared[],
    command: StatementCommand<never, never>,
    prepared: unknown,
  ): Promise<Row[][]> {
    const { request, db } = this.#step;
    try {
      return await (request.writes ?? db).together(calls);
    } catch (error) {
      const expected = conflictOf(error, command.conflicts, prepared) ?? violatedCondition(command, error);
      // Other errors may belong to the payload's read, after the command was executed.
      this.mayHaveActed = expected === null;
      throw expected ?? this.#step.errorOf(error, statements);
    }
  }

  async #call(): Promise<unknown> {
    const step = this.#step;
    const { key, access, plan, payload, project } = this.#root;
    await step.identify();
    step.require(key, access);
    const { command } = plan;
    if (!command) throw new TypeError(`${key} has no command`);
    const value = await step.timed(plan.timeoutMs, (context) => command(context, this.args));
    this.mayHaveActed = true;
    return step.respondWith(value, payload, project);
  }
}

/** The error that a command declares for the constraint it violated; null for any other. */
function conflictOf(
  error: unknown,
  conflicts: Readonly<Record<string, (prepared: never) => Error>> | undefined,
  prepared: unknown,
): Error | null {
  if (!conflicts || !(error instanceof Error) || !('constraint' in error)) return null;
  return conflicts[String(error.constraint)]?.(prepared as never) ?? null; // prepared by this command
}

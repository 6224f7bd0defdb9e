import { AppError } from '../../kernel/errors.ts';
import type { Access } from '../../kernel/permissions.ts';
import { INTROSPECTION_COST, MUTATION_COST } from '../cost.ts';
import type { Operation } from '../document-cache.ts';
import { Lru } from '../lru.ts';
import type { Variant } from '../variant.ts';
import type { CredentialKind, ViewerSource } from '../viewer.ts';
import { FieldArguments, pointsOf } from './arguments.ts';
import { type CommandPlanned, planCommand } from './command.ts';
import type { PlanningContext } from './compile.ts';
import type { MutationPlan, PlannedField, ResolvePlan, SubscriptionPlan } from './declarations.ts';
import { planPayload, planRoot, type ReadPlanned } from './root.ts';
import { collect, type Selected } from './selection.ts';
import { shapingKey } from './shaping.ts';
import type { Variables } from './values.ts';

interface RootCommon {
  /** Response name. */
  readonly key: string;
  readonly access: Access;
}

export interface ReadRoot extends RootCommon {
  readonly kind: 'read';
  readonly read: ReadPlanned;
}

export interface ResolveRoot extends RootCommon {
  readonly kind: 'resolve';
  readonly plan: ResolvePlan;
  readonly payload: ReadPlanned | null;
  readonly args: (variables: Variables) => never;
}

export interface MutationRoot extends RootCommon {
  readonly kind: 'mutation';
  /** Name in the schema. */
  readonly name: string;
  readonly plan: MutationPlan;
  readonly statement: CommandPlanned | null;
  readonly payload: ReadPlanned | null;
  readonly args: (variables: Variables) => never;
}

/** A subscription's field: what is followed, and the read of each message. */
export interface SubscriptionRoot extends RootCommon {
  readonly kind: 'subscription';
  readonly plan: SubscriptionPlan;
  readonly read: ReadPlanned;
  readonly args: (variables: Variables) => never;
}

/** A root field whose arguments make it impossible to plan. */
export interface FaultyRoot extends RootCommon {
  readonly kind: 'faulty';
  readonly error: AppError;
}

export type PlannedRoot = ReadRoot | ResolveRoot | MutationRoot | SubscriptionRoot | FaultyRoot;

export interface OperationPlan {
  readonly roots: readonly PlannedRoot[];
  /** Points for full pages. */
  readonly cost: number;
  /** The part of the points that does not depend on what is found. */
  readonly fixedCost: number;
}

const MAX_PLANS = 4_000;

/** Plans of operations, kept by what they depend on: document, decided directives, kind of credential, shaping variables. */
export class Planner {
  readonly #source: ViewerSource;
  readonly #plans = new Lru<string, OperationPlan>(MAX_PLANS);

  constructor(source: ViewerSource) {
    this.#source = source;
  }

  get size(): number {
    return this.#plans.size;
  }

  plan(operation: Operation, variant: Variant, credential: CredentialKind, variables: Variables): OperationPlan {
    const key = `${variant.serial}|${credential}|${shapingKey(operation.shaping, variables)}`;
    const known = this.#plans.get(key);
    if (known) return known;
    const plan = this.#make(operation, variant, credential, variables);
    this.#plans.set(key, plan);
    return plan;
  }

  #make({ introspections }: Operation, variant: Variant, credential: CredentialKind, variables: Variables): OperationPlan {
    const { schema, fragments, operation } = variant;
    const type = schema.getRootType(operation.operation);
    if (!type) return { roots: [], cost: 0, fixedCost: 0 };
    const context: PlanningContext = { schema, fragments, viewerSource: this.#source, credential, variables };
    const roots: PlannedRoot[] = [];
    let cost = introspections * INTROSPECTION_COST;
    let fixedCost = cost;
    for (const [key, selected] of collect(context, type, [operation.selectionSet], (node) => node.alias?.value ?? node.name.value)) {
      const root = this.#root(context, key, selected);
      const own = 1 + (root.kind === 'mutation' ? MUTATION_COST : 0) + declaredPoints(root, selected, variables);
      fixedCost += own;
      cost += own + costOf(root);
      roots.push(root);
    }
    return { roots, cost, fixedCost };
  }

  #root(context: PlanningContext, key: string, selected: Selected): PlannedRoot {
    const { plan, access = 'public' } = selected.field.extensions as unknown as PlannedField; // checked when the schema was built
    const args = argsReader(selected);
    try {
      if (plan.kind === 'resolve') return { kind: 'resolve', key, access, plan, args, payload: planPayload(context, selected) };
      if (plan.kind === 'subscription')
        return { kind: 'subscription', key, access, plan, args, read: planRoot(context, selected, plan.read) };
      if (plan.kind === 'mutation') {
        const statement = plan.statement ? planCommand(context, selected, access, plan.statement, plan.spends !== undefined) : null;
        return { kind: 'mutation', name: selected.field.name, key, access, plan, args, statement, payload: planPayload(context, selected) };
      }
      return { kind: 'read', key, access, read: planRoot(context, selected, plan as Parameters<typeof planRoot>[2]) }; // root fields have root plans
    } catch (error) {
      if (error instanceof AppError) return { kind: 'faulty', key, access, error };
      throw error;
    }
  }
}

/** Points that a root field without rows of its own declares. */
function declaredPoints(root: PlannedRoot, { field, node }: Selected, variables: Variables): number {
  if (root.kind !== 'mutation' && root.kind !== 'resolve') return 0;
  return pointsOf(root.plan.cost, new FieldArguments(field, node, variables));
}

/** Points for what is read. */
function costOf(root: PlannedRoot): number {
  if (root.kind === 'faulty') return 0;
  if (root.kind === 'read' || root.kind === 'subscription') return root.read.cost;
  return root.payload?.cost ?? 0;
}

/** Reads a field's arguments. */
function argsReader({ field, node }: Selected): (variables: Variables) => never {
  const read = new FieldArguments(field, node, {}).readers();
  // The values are as the schema declares them, which is how the declaration's types were inferred.
  return (variables) => read(variables) as never;
}

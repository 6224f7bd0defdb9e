import { getNullableType, TypeNameMetaFieldDef } from 'graphql';
import { Lru } from '../documents/lru.ts';
import type { Operation } from '../documents/operation.ts';
import { shapingKey } from '../documents/plan-key.ts';
import { responseKey } from '../documents/response-keys.ts';
import type { Variables } from '../documents/values.ts';
import type { Ports } from '../ports.ts';
import type { Access, CredentialKind } from '../register.ts';
import type { Projection } from '../rows/shape.ts';
import type { MutationPlan, PlannedField, ResolvePlan, SubscriptionPlan } from '../schema/declarations.ts';
import { isSemanticNonNull } from '../schema/semantic-non-null.ts';
import { FieldArguments } from './arguments.ts';
import { CommandVariants } from './command-variants.ts';
import { pagesOfKeys } from './key-pages.ts';
import { type PlannedCommand, planCommand } from './plan-command.ts';
import { INTROSPECTION_COST, MUTATION_COST, pointsOf } from './points.ts';
import type { PlanningContext } from './position.ts';
import { projectionOf } from './project.ts';
import type { PlannedRead } from './read.ts';
import { planPayload, planRoot } from './root.ts';
import { collect, type Selected } from './selection.ts';

interface RootCommon {
  /** Response name. */
  readonly key: string;
  readonly access: Access;
}

export interface ReadRoot extends RootCommon {
  readonly kind: 'read';
  readonly read: PlannedRead;
}

interface CallRoot extends RootCommon {
  readonly payload: PlannedRead | null;
  /** What the response holds of the returned value, where nothing is read by it. */
  readonly project: Projection | null;
  readonly args: (variables: Variables) => never;
}

export interface ResolveRoot extends CallRoot {
  readonly kind: 'resolve';
  readonly plan: ResolvePlan;
}

export interface MutationRoot extends CallRoot {
  readonly kind: 'mutation';
  /** Name in the schema. */
  readonly name: string;
  readonly plan: MutationPlan;
  readonly statement: CommandVariants<PlannedCommand> | null;
}

/** A subscription's field: what is followed, and the read of each message. */
export interface SubscriptionRoot extends RootCommon {
  readonly kind: 'subscription';
  readonly plan: SubscriptionPlan;
  readonly read: PlannedRead;
  readonly args: (variables: Variables) => never;
}

/** A root field whose arguments make it impossible to plan. */
export interface InvalidRoot extends RootCommon {
  readonly kind: 'invalid';
  readonly error: Error;
}

export type PlannedRoot = ReadRoot | ResolveRoot | MutationRoot | SubscriptionRoot | InvalidRoot;

/** A field of the response's data. */
export interface ResponseField {
  readonly key: string;
  /** The value of `__typename`; null for all others. */
  readonly typeName: string | null;
  /** Whether it is null only together with an error. */
  readonly isRequired: boolean;
}

export interface OperationPlan {
  readonly operation: Operation;
  readonly roots: readonly PlannedRoot[];
  /** The fields of the data, in their order; null where the schema is read, too. */
  readonly fields: readonly ResponseField[] | null;
  /** Points for full pages. */
  readonly cost: number;
  /** The part of the points that does not depend on what is found. */
  readonly fixedCost: number;
}

const MAX_PLANS = 4_000;

/** Plans of operations, kept by what they depend on: document, kind of credential, shaping variables. */
export class Planner {
  readonly #ports: Ports;
  readonly #plans = new Lru<string, OperationPlan>(MAX_PLANS);

  constructor(ports: Ports) {
    this.#ports = ports;
  }

  get size(): number {
    return this.#plans.size;
  }

  plan(operation: Operation, credential: CredentialKind, variables: Variables): OperationPlan {
    const key = `${operation.serial}|${credential}|${shapingKey(operation.shaping, variables, this.#ports.ids)}`;
    const known = this.#plans.get(key);
    if (known) return known;
    const plan = this.#make(operation, credential, variables);
    this.#plans.set(key, plan);
    return plan;
  }

  #make(operation: Operation, credential: CredentialKind, variables: Variables): OperationPlan {
    const { schema, fragments, node, introspections } = operation;
    const context: PlanningContext = { schema, fragments, variables, ports: this.#ports, credential };
    const roots: PlannedRoot[] = [];
    let cost = introspections * INTROSPECTION_COST;
    let fixedCost = cost;
    const fields: ResponseField[] = [];
    for (const [key, selected] of collect(context, operation.rootType, [node.selectionSet], responseKey)) {
      const typeName = selected.field === TypeNameMetaFieldDef ? operation.rootType.name : null;
      fields.push({ key, typeName, isRequired: isSemanticNonNull(selected.field) });
      if (typeName !== null) continue;
      const root = this.#root(context, key, selected);
      const own = 1 + (root.kind === 'mutation' ? MUTATION_COST : 0) + declaredPoints(context, root, selected);
      fixedCost += own;
      cost += own + costOf(root);
      roots.push(root);
    }
    return { operation, roots, fields: introspections > 0 ? null : fields, cost, fixedCost };
  }

  #root(context: PlanningContext, key: string, selected: Selected): PlannedRoot {
    // Checked when the schema was built.
    const { plan, access } = selected.field.extensions as unknown as Required<PlannedField>;
    const call = (): CallRoot => {
      const payload = planPayload(context, selected);
      const project = payload ? null : projectionOf(context, getNullableType(selected.field.type), selected.below);
      return { key, access, args: argsReader(context, selected), payload, project };
    };
    try {
      if (plan.kind === 'resolve') return { ...call(), kind: 'resolve', plan };
      if (plan.kind === 'keys') return { ...call(), kind: 'resolve', plan: pagesOfKeys(plan, this.#ports.errors) };
      if (plan.kind === 'subscription')
        return {
          kind: 'subscription',
          key,
          access,
          plan,
          args: argsReader(context, selected),
          read: planRoot(context, selected, plan.read),
        };
      if (plan.kind === 'mutation') {
        const { statement: command } = plan;
        const statement = command
          ? new CommandVariants((input) => planCommand(context, selected, access, { ...plan, command }, input))
          : null;
        return { ...call(), kind: 'mutation', name: selected.field.name, plan, statement };
      }
      // Root fields have root plans.
      return { kind: 'read', key, access, read: planRoot(context, selected, plan as Parameters<typeof planRoot>[2]) };
    } catch (error) {
      if (this.#ports.errors.isExpected(error)) return { kind: 'invalid', key, access, error };
      throw error;
    }
  }
}

/** Points that a root field without rows of its own declares. */
function declaredPoints(context: PlanningContext, root: PlannedRoot, { field, node }: Selected): number {
  if (root.kind !== 'mutation' && root.kind !== 'resolve') return 0;
  return pointsOf(root.plan.cost, new FieldArguments(context.ports, field, node, context.variables));
}

/** Points for what is read. */
function costOf(root: PlannedRoot): number {
  if (root.kind === 'invalid') return 0;
  if (root.kind === 'read' || root.kind === 'subscription') return root.read.cost;
  return root.payload?.cost ?? 0;
}

/** Reads a field's arguments. */
function argsReader({ ports }: PlanningContext, { field, node }: Selected): (variables: Variables) => never {
  const read = new FieldArguments(ports, field, node, {}).readers();
  // The values are as the schema declares them, which is how the declaration's types were inferred.
  return (variables) => read(variables) as never;
}

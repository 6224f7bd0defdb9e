import { type ExecutionResult, execute } from 'graphql';
import { Lru } from '../documents/lru.ts';
import type { Variables } from '../documents/values.ts';
import type { OperationPlan } from '../plan/planner.ts';
import type { Execution } from './execution.ts';

/**
 * The response of what was executed. Values are keyed by response names all the way down, so that they are the data.
 * Only where that is not all there is to it (an error has its place, a value that must be there is missing, the schema
 * is read) graphql-js goes over them. `variables` are as they were sent.
 */
export function respond(
  plan: OperationPlan,
  execution: Execution,
  variables: Variables,
): ExecutionResult | Promise<ExecutionResult> {
  const data = execution.isComplete ? dataOf(plan, execution.values) : null;
  if (data) return { data };
  const { document, schema, name, serial, node } = plan.operation;
  const complete = () =>
    execute({
      schema,
      document,
      operationName: name || null,
      rootValue: Object.fromEntries([...missingOf(plan, execution.values), ...execution.values]),
      variableValues: variables,
    });
  const isSchemaOnly = plan.fields === null && plan.roots.length === 0 && !node.variableDefinitions?.length;
  if (!isSchemaOnly) return complete();
  const result = introspections.get(serial) ?? complete();
  introspections.set(serial, result);
  return result;
}

/**
 * The schema is the same for everyone, and tools read it with the same document again and again. Each is some
 * megabytes.
 */
const introspections = new Lru<number, ReturnType<typeof execute>>(4);

/** Errors for root fields that have neither a value nor an error, and must have one. */
function missingOf({ fields }: OperationPlan, values: Execution['values']): [string, Error][] {
  const missing = (fields ?? []).filter(
    ({ key, typeName, isRequired }) => isRequired && typeName === null && values.get(key) == null,
  );
  return missing.map(({ key }) => [key, new Error(`${key} has no value`)]);
}

/** Null where a value is an error or must not be null. */
function dataOf({ fields }: OperationPlan, values: Execution['values']): Record<string, unknown> | null {
  if (!fields) return null;
  const data: Record<string, unknown> = {};
  for (const { key, typeName, isRequired } of fields) {
    const value = typeName ?? values.get(key) ?? null;
    if (value instanceof Error || (value === null && isRequired)) return null;
    // Assigned, this name would be the object's prototype.
    if (key === '__proto__') Object.defineProperty(data, key, { value, enumerable: true });
    else data[key] = value;
  }
  return data;
}

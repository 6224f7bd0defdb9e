import { type ExecutionResult, execute } from 'graphql';
import type { Variables } from '../documents/values.ts';
import type { OperationPlan } from '../plan/planner.ts';
import type { Execution } from './execution.ts';

/**
 * The response of what was executed. Values are keyed by response names all the way down, so that they are the data. Only where that is not
 * all there is to it (an error has its place, a value that must be there is missing, the schema is read) graphql-js goes over them.
 * `variables` are as they were sent.
 */
export function respond(plan: OperationPlan, execution: Execution, variables: Variables): ExecutionResult | Promise<ExecutionResult> {
  const { document, schema, name } = plan.operation;
  const data = execution.isComplete ? dataOf(plan, execution.values) : null;
  if (data) return { data };
  return execute({ schema, document, operationName: name || null, rootValue: execution.values, variableValues: variables });
}

/** Null where a value is an error or must not be null. */
function dataOf({ fields }: OperationPlan, values: Readonly<Record<string, unknown>>): Record<string, unknown> | null {
  if (!fields) return null;
  const data: Record<string, unknown> = {};
  for (const { key, typeName, isRequired } of fields) {
    const value = typeName ?? values[key] ?? null;
    if (value instanceof Error || (value === null && isRequired)) return null;
    data[key] = value;
  }
  return data;
}

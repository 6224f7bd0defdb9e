import type { Variables } from '../documents/values.ts';
import type { Shape, Shaped, ShapeInput, ShapeState } from '../rows/shape.ts';
import type { Row } from '../statements/sql.ts';
import type { Prepared } from '../statements/statement-builder.ts';
import type { RootCompiler } from './compile.ts';

/** A planned read: its statements, and how their rows become a value. */
export interface PlannedRead {
  readonly statements: readonly Prepared[];
  readonly cost: number;
  /** `rows` are those of `statements`, in order; where an error stands for the value, it is the value. */
  shape(rows: readonly (readonly Row[])[], input: ReadInput): Shaped;
}

/** What of a request a read's rows become objects with. */
export interface ReadInput extends ShapeInput {
  readonly variables: Variables;
}

export interface BuiltBranch {
  readonly prepared: Prepared;
  readonly shape: Shape;
}

export function buildBranches(compiler: RootCompiler, label: string): BuiltBranch[] {
  return compiler.branches.map((branch) => branch.build(label, compiler.constants));
}

/** The value that the rows of one root field's statements become. */
export function shapeAll(
  built: readonly BuiltBranch[],
  rows: readonly (readonly Row[])[],
  input: ShapeInput,
  state: ShapeState,
): unknown {
  const value = built[0]?.shape(rows[0] ?? [], input, state);
  for (let index = 1; index < built.length; index += 1) built[index]?.shape(rows[index] ?? [], input, state);
  for (const connection of state.unfinished) connection.finish();
  return value;
}

export function shapedOf(value: unknown, { points, isComplete }: ShapeState): Shaped {
  return { value, points, isComplete };
}

import { Lru } from '../documents/lru.ts';
import type { Env } from '../register.ts';

/** A value of a command's prepared input; undefined where it is not given. */
export type GivenValue = (prepared: never, env: Env) => unknown;

/** What is planned for the values that one input gives. */
interface Shaped {
  /** The values by which it leaves out what is not given. */
  readonly shapedBy: readonly GivenValue[];
}

/** The input that a statement is planned for. It is forgotten then: plans are kept, and inputs may be large. */
export class PlannedInput {
  #given: { readonly prepared: unknown; readonly env: Env } | null;

  constructor(prepared: unknown, env: Env) {
    this.#given = { prepared, env };
  }

  has(read: GivenValue): boolean {
    if (!this.#given) throw new TypeError('A statement asks for its input after it was planned.');
    const { prepared, env } = this.#given;
    return read(prepared as never, env) !== undefined; // prepared by this command
  }

  forget(): void {
    this.#given = null;
  }
}

/** Clients send few combinations of fields; others are planned again. */
const MAX_VARIANTS = 32;
/** As many as an integer has bits. */
const MAX_VALUES = 53;

/** The statements of a command, by what its input gives: one that sets a title does not mention other columns. */
export class CommandVariants<Planned extends Shaped> {
  readonly #plan: (input: PlannedInput) => Planned;
  readonly #known = new Lru<number, Planned>(MAX_VARIANTS);
  /** Null until the first one is planned. */
  #shapedBy: readonly GivenValue[] | null = null;

  constructor(plan: (input: PlannedInput) => Planned) {
    this.#plan = plan;
  }

  of(prepared: unknown, env: Env): Planned {
    const known = this.#shapedBy && this.#known.get(keyOf(this.#shapedBy, prepared, env));
    return known ?? this.#add(prepared, env);
  }

  #add(prepared: unknown, env: Env): Planned {
    const input = new PlannedInput(prepared, env);
    const planned = this.#plan(input);
    input.forget();
    const { shapedBy } = planned;
    this.#shapedBy ??= shapedBy;
    if (shapedBy.length !== this.#shapedBy.length || shapedBy.length > MAX_VALUES)
      throw new TypeError('What a command asks of its input must not depend on the answers.');
    this.#known.set(keyOf(shapedBy, prepared, env), planned);
    return planned;
  }
}

/** A bit for each value, set where it is given. */
function keyOf(shapedBy: readonly GivenValue[], prepared: unknown, env: Env): number {
  let key = 0;
  for (const read of shapedBy) key = 2 * key + (read(prepared as never, env) === undefined ? 0 : 1);
  return key;
}

const BOUNDS_SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

/** The value of a label. */
type Value = string | number;

export interface DurationsOptions {
  readonly name: string;
  readonly help: string;
  readonly labels: readonly string[];
}

/**
 * A Prometheus histogram of durations. An observation takes a few lookups and additions: the library's own histogram
 * joins the labels to text for each, which costs several times as much.
 */
export class Durations {
  readonly #options: DurationsOptions;
  readonly #root = new Branch();

  constructor(options: DurationsOptions) {
    this.#options = options;
  }

  /** `values` are the label values, in order. */
  observe(seconds: number, ...values: Value[]): void {
    let branch = this.#root;
    for (const value of values) branch = branch.at(value);
    branch.observe(seconds);
  }

  /** Text exposition format: help, type, then each combination of labels with its buckets, sum and count. */
  text(): string {
    const { name, help, labels } = this.#options;
    const lines = [`# HELP ${name} ${help}`, `# TYPE ${name} histogram`];
    for (const { values, counts, sum } of this.#root.observed([])) {
      const common = labels.map((label, index) => `${label}="${escaped(String(values[index]))}"`).join(',');
      let total = 0;
      for (const [index, count] of counts.entries()) {
        total += count;
        lines.push(`${name}_bucket{${common},le="${BOUNDS_SECONDS[index] ?? '+Inf'}"} ${total}`);
      }
      lines.push(`${name}_sum{${common}} ${sum}`, `${name}_count{${common}} ${total}`);
    }
    return `${lines.join('\n')}\n`;
  }
}

interface Observed {
  readonly values: readonly Value[];
  /** By bucket; the last one has no bound. */
  readonly counts: Float64Array;
  readonly sum: number;
}

/** The values of a label within those of the previous labels; the last label has the observations. */
class Branch {
  readonly #branches = new Map<Value, Branch>();
  #counts: Float64Array | null = null;
  #sum = 0;

  at(value: Value): Branch {
    let branch = this.#branches.get(value);
    if (!branch) {
      branch = new Branch();
      this.#branches.set(value, branch);
    }
    return branch;
  }

  observe(seconds: number): void {
    this.#counts ??= new Float64Array(BOUNDS_SECONDS.length + 1);
    const found = BOUNDS_SECONDS.findIndex((bound) => seconds <= bound);
    const bucket = found === -1 ? BOUNDS_SECONDS.length : found;
    this.#counts[bucket] = (this.#counts[bucket] ?? 0) + 1;
    this.#sum += seconds;
  }

  *observed(values: readonly Value[]): Generator<Observed> {
    if (this.#counts) yield { values, counts: this.#counts, sum: this.#sum };
    for (const [value, branch] of this.#branches) yield* branch.observed([...values, value]);
  }
}

function escaped(text: string): string {
  return text.replaceAll('\\', '\\\\').replaceAll('\n', '\\n').replaceAll('"', '\\"');
}

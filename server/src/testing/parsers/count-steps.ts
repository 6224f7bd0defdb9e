import { Session } from 'node:inspector';

/**
 * Counts the steps of a function, the same in every run: how often each block of JavaScript is entered (V8's precise
 * coverage), and how many characters or entries built-in functions go through. Modules are counted if they are loaded
 * after the counter is made. Regular expressions count the text that they search: whether one goes back over it is for
 * the check of patterns (scripts/checks/slow-patterns.ts).
 */
export class StepCounter {
  readonly #session = new Session();
  readonly #restore: (() => void)[] = [];
  #builtIn = 0;
  #isCounting = false;

  constructor() {
    this.#session.connect();
    this.#post('Profiler.enable');
    this.#post('Profiler.startPreciseCoverage', { callCount: true, detailed: true });
    for (const [owner, names] of SCANNING) for (const name of names) this.#wrap(owner, name);
    for (const iterator of ITERATORS) this.#wrap(iterator, 'next');
    this.#wrapSearches();
  }

  /** The steps of `work`, whether it returns or throws, and of what ran since the last count. */
  async count(work: () => unknown): Promise<number> {
    this.#builtIn = 0;
    this.#isCounting = true;
    try {
      await work();
    } catch {
      // What is refused has been read as far.
    } finally {
      this.#isCounting = false;
    }
    return this.#taken() + this.#builtIn;
  }

  close(): void {
    for (const restore of this.#restore) restore();
    this.#session.disconnect();
  }

  /** Blocks entered since the last time. */
  #taken(): number {
    let steps = 0;
    for (const { url, functions } of this.#post('Profiler.takePreciseCoverage').result)
      if (url.startsWith('file:') && url !== import.meta.url)
        for (const { ranges } of functions) for (const { count } of ranges) steps += count;
    return steps;
  }

  #post(method: string, params?: object): Coverage {
    let answer: Coverage | undefined;
    // The session is of this thread, so it answers before `post` returns.
    this.#session.post(method, params, (error: Error | null, result?: object) => {
      if (error) throw error;
      answer = result as Coverage; // of takePreciseCoverage; the other methods have none
    });
    return answer ?? { result: [] };
  }

  #wrap(owner: object, name: PropertyKey): void {
    const original = Reflect.getOwnPropertyDescriptor(owner, name);
    if (typeof original?.value !== 'function') throw new TypeError(`There is no built-in ${String(name)}`);
    const run = original.value as (...args: unknown[]) => unknown;
    const costOf = name in BY_RESULT ? BY_RESULT[name as keyof typeof BY_RESULT] : lengthOf;
    const charge = (self: unknown, result: unknown, from: unknown) => {
      if (this.#isCounting) this.#builtIn += costOf(self, result, typeof from === 'number' ? from : 0);
    };
    Reflect.defineProperty(owner, name, {
      ...original,
      value(this: unknown, ...args: unknown[]) {
        const result = Reflect.apply(run, this, args);
        charge(this, result, args[1]);
        return result;
      },
    });
    this.#restore.push(() => Reflect.defineProperty(owner, name, original));
  }

  /** All functions that search by a pattern go through `exec` once it was replaced. */
  #wrapSearches(): void {
    const run = RegExp.prototype.exec;
    const charge = (steps: number) => {
      if (this.#isCounting) this.#builtIn += Math.max(1, steps);
    };
    RegExp.prototype.exec = function (this: RegExp, text: string) {
      const from = this.global || this.sticky ? this.lastIndex : 0;
      const match = Reflect.apply(run, this, [text]);
      if (match) charge(match.index + match[0].length - from);
      else charge(this.sticky || (this.source.startsWith('^') && !this.multiline) ? 1 : text.length - from);
      return match;
    };
    this.#restore.push(() => {
      RegExp.prototype.exec = run;
    });
  }
}

interface Coverage {
  readonly result: readonly {
    readonly url: string;
    readonly functions: readonly { readonly ranges: readonly { readonly count: number }[] }[];
  }[];
}

/** Built-in functions whose time grows with what they are called on, or with the text that a pattern searches. */
const SCANNING: readonly (readonly [object, readonly PropertyKey[]])[] = [
  [
    String.prototype,
    [
      ...['slice', 'substring', 'substr', 'indexOf', 'lastIndexOf', 'includes', 'split', 'replace', 'replaceAll'],
      ...['match', 'matchAll', 'search', 'trim', 'trimStart', 'trimEnd', 'toLowerCase', 'toUpperCase', 'normalize'],
      ...['isWellFormed', 'toWellFormed', 'padStart', 'padEnd', 'repeat', 'concat', 'localeCompare'],
    ],
  ],
  [
    Array.prototype,
    [
      ...['slice', 'splice', 'shift', 'unshift', 'concat', 'indexOf', 'lastIndexOf', 'includes', 'join', 'reverse'],
      ...['sort', 'toSorted', 'toReversed', 'toSpliced', 'with', 'fill', 'flat', 'copyWithin'],
    ],
  ],
];

/** Spread and destructuring go through these, entry by entry. */
const ITERATORS: readonly object[] = [
  Object.getPrototypeOf([][Symbol.iterator]()),
  Object.getPrototypeOf(''[Symbol.iterator]()),
];

/**
 * Searches take as long as they go on. A part of a text is a view on it, whatever its length; one of a list is a copy.
 */
const BY_RESULT = {
  slice: (self: unknown, result: unknown) => (typeof self === 'string' ? 1 : lengthOf(result)),
  substring: () => 1,
  substr: () => 1,
  indexOf: (self: unknown, result: unknown, from: number) =>
    Math.max(1, (typeof result === 'number' && result >= 0 ? result + 1 : lengthOf(self)) - from),
};

function lengthOf(value: unknown): number {
  return typeof value === 'string' || Array.isArray(value) ? value.length : 1;
}

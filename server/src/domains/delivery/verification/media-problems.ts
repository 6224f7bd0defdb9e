/** What can be wrong with a row and its objects. */
export type MediaProblemKind =
  /** A row or a manifest names an object that does not exist. */
  | 'MISSING_OBJECT'
  /** An object has another size than its row, or ends in the middle. */
  | 'WRONG_SIZE'
  /** An object has other bytes than those that arrived. */
  | 'WRONG_CHECKSUM'
  /** The uploaded file is not the one that segments are cut from. */
  | 'CHANGED_SOURCE'
  /** A manifest or an index cannot be read. */
  | 'DAMAGED_FILE'
  /** No row names an object. */
  | 'ORPHAN'
  /** An object that Reelgraph did not write. */
  | 'UNKNOWN_OBJECT';

export interface MediaProblem {
  readonly kind: MediaProblemKind;
  /** DID of the asset; null for objects without a row. */
  readonly row: string | null;
  /** An object, or with a `/` at its end all objects below it. */
  readonly key: string;
  readonly message: string;
  /** What the operator can do. */
  readonly fix: string;
}

/** A problem of a known row. */
export type RowProblem = Omit<MediaProblem, 'row'>;

/** Counts every problem and keeps the first ones, so that its memory is bounded. */
export class MediaProblems {
  readonly #most: number;
  readonly #kept: MediaProblem[] = [];
  readonly #counts = new Map<MediaProblemKind, number>();

  constructor(most: number) {
    this.#most = most;
  }

  add(problem: MediaProblem): void {
    this.#counts.set(problem.kind, (this.#counts.get(problem.kind) ?? 0) + 1);
    if (this.#kept.length < this.#most) this.#kept.push(problem);
  }

  /** By kind. */
  get counts(): Readonly<Partial<Record<MediaProblemKind, number>>> {
    return Object.fromEntries(this.#counts);
  }

  get first(): readonly MediaProblem[] {
    return this.#kept;
  }
}

/**
 * Where a walk over a connection and the connections in its objects continues. Everything up to `after` is done, except
 * for what is below the last object.
 */
export interface ExportPosition {
  /** Cursor of the last object of the list; null at its beginning. */
  readonly after: string | null;
  /** What is left of the lists of that object. */
  readonly below?: PositionBelow;
}

/** A position in a list of an object; the lists after it, in the order of the query, are not begun. */
export interface PositionBelow extends ExportPosition {
  /** Response name of the list. */
  readonly list: string;
  /** DID of the object that has it. */
  readonly parent: string;
}

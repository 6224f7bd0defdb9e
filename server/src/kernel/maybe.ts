/** A value of an input: undefined where it was left out, null where the caller sent null. */
export type Maybe<T> = T | null | undefined;

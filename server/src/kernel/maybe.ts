/** An optional input value: undefined when omitted, null when the caller sent null. */
export type Maybe<T> = T | null | undefined;

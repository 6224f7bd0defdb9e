/**
 * When the versions of a schema have an element: a type, a field, an argument, an input field or an enum value. By
 * default, all of them have it.
 */
export interface Lifecycle {
  /** Only in the preview, until it is stable. */
  readonly preview?: true;
  /** The first version that has it. */
  readonly since?: string;
  /** The first version that does not have it any more. */
  readonly until?: string;
  readonly deprecated?: Deprecation;
}

export interface Deprecation {
  /** What to use instead, as a sentence. */
  readonly use: string;
  /** Left out for what was never anything but deprecated, and has no end yet. */
  readonly period?: DeprecationPeriod;
}

export interface DeprecationPeriod {
  /** The version since which it is deprecated. */
  readonly since: string;
  /** The first version that may lack it. */
  readonly removal: string;
}

/** The argument of `@deprecated`, in a form that readers and checks can rely on. */
export function deprecationReason({ use, period }: Deprecation): string {
  return period ? `${use} Deprecated since ${period.since}; removed in ${period.removal} at the earliest.` : use;
}

/**
 * Options of an element that is declared with Pothos directly: `t.string({ description: '…', ...lifecycle({ preview:
 * true }) })`.
 */
export function lifecycle(declared: Lifecycle): { extensions: Extensions; deprecationReason?: string } {
  const { deprecated } = declared;
  return {
    extensions: lifecycleExtension(declared),
    ...(deprecated ? { deprecationReason: deprecationReason(deprecated) } : {}),
  };
}

/** The extensions of a declared element with a lifecycle. */
export function lifecycleExtension(declared: Lifecycle | undefined): Extensions {
  return declared ? { lifecycle: declared } : {};
}

type Extensions = Readonly<Record<string, unknown>>;

/** The lifecycle of an element of a schema; null without one. */
export function lifecycleOf({ extensions }: { readonly extensions?: Extensions | null | undefined }): Lifecycle | null {
  // Only declarations write it.
  return (extensions?.['lifecycle'] as Lifecycle | undefined) ?? null;
}

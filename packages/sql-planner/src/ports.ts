import type {
  Access,
  CredentialKind,
  Env,
  IdKind,
  MutationExtras,
  Policy,
  SubscriptionContext,
  Viewer,
} from './register.ts';

/** The application's ports: viewer, permissions, identifiers and errors. */
export interface Ports {
  readonly viewer: ViewerPort;
  readonly permissions: PermissionPort;
  readonly policies: PolicyPort;
  readonly ids: IdPort;
  readonly errors: ErrorPort;
  readonly values: ValuePort;
}

/** Values of the database in the statements' rows. */
export interface ValuePort {
  /**
   * SQL of a value whose JSON is what the client makes of the value in a column of its own: entries of short lists
   * travel as JSON.
   */
  inJson(sql: string): string;
}

/** Authenticates the request within the statement that reads the data. */
export interface ViewerPort {
  /**
   * SQL of the viewer's row by kind of credential: `$1` is the credential's value, `$2` the present instant
   * (timestamptz); either may be left out. No row means that the credential is not valid. Anonymous requests have a row
   * of (typed) nulls.
   */
  readonly rows: Readonly<Record<CredentialKind, string>>;
  /** One text over that row, `u`, with all that `unpack` needs; null where the request is anonymous. */
  packed(credential: CredentialKind): string;
  /** The inverse of `packed`. */
  unpack(packed: unknown, credential: CredentialKind): Viewer | null;
  /** The error of a request whose credential is not valid. */
  invalid(credential: CredentialKind): Error;
  /** The context of the request once its viewer is known. */
  identified(env: Env, viewer: Viewer | null): Env;
  /** What a command, a resolver or the source of a subscription gets; `signal` says when its time is over. */
  contextOf(env: Env, signal: AbortSignal | null): SubscriptionContext;
}

/** What SQL over the viewer's row is built with. */
export interface ViewerScope {
  /** Alias of the viewer's row. */
  readonly viewer: 'u';
  /** A placeholder for the present instant (timestamptz). */
  readonly now: string;
  /** A placeholder for a value that is the same whenever the statement is sent. */
  constant(value: unknown, cast: string): string;
}

export interface PermissionPort {
  /** SQL: whether the viewer of this kind of credential has what a root field requires. The twin of `refuse`. */
  condition(access: Access, credential: CredentialKind, scope: ViewerScope): string;
  /** The error of a viewer who may not use a root field; null where they may. */
  refuse(env: Env, viewer: Viewer | null, access: Access): Error | null;
  /** The error of a viewer who may use nothing at all; null for everyone else. Asked once per request. */
  refuseAlways(env: Env, viewer: Viewer | null): Error | null;
  /**
   * SQL over the viewer's row `u` that must be true before a mutation sent with this credential does anything, unless
   * its caller says that it is met; null where there is no such condition.
   */
  precondition(mutation: MutationExtras | undefined, credential: CredentialKind): string | null;
}

/** Reads the policies of commands. */
export interface PolicyPort {
  /** The columns of the target that a policy looks at. */
  columns(policy: Policy): readonly string[];
  /** SQL over a row with these columns: whether the policy allows. The twin of `refuse`. */
  condition(policy: Policy): string;
  /**
   * The error with which the policy refuses; null where it allows. `target` is null where there is none; `field` is the
   * argument that names it.
   */
  refuse(policy: Policy, target: Readonly<Record<string, unknown>> | null, field: string): Error | null;
}

/** A parsed public identifier. */
export interface ParsedId {
  readonly kind: IdKind;
  /** The value of the key column. */
  readonly id: string;
}

export interface IdPort {
  /** SQL type of the key columns. */
  readonly keyType: string;
  /** The kind that an identifier seems to have. It need not be valid: what is planned depends on no more. */
  kindOf(text: string): IdKind | null;
  /** Null for anything but an identifier of this application. */
  parse(text: string): ParsedId | null;
  /**
   * As `parse`; throws the application's error, about the argument `field`, unless it is an identifier of one of the
   * kinds (null: of any).
   */
  require(value: unknown, kinds: readonly IdKind[] | null, field: string): ParsedId;
}

/** The content of an error about an argument. */
export interface ArgumentErrorDetails {
  readonly field?: string;
  readonly suggestedFix?: string;
  readonly cause?: unknown;
}

/** Creates the application's errors. */
export interface ErrorPort {
  invalidArgument(message: string, details: ArgumentErrorDetails): Error;
  /** A variable brought null to a required argument. */
  missingArgument(name: string): Error;
  /** The row that the argument names does not exist, or not for this viewer. */
  notFound(field: string): Error;
  /** The list below the object that the argument names is not for this viewer. */
  listDenied(field: string): Error;
  timedOut(limitMs: number): Error;
  /**
   * Whether an error is one of the application's own: one that a declaration throws while a root field is planned is
   * that field's error.
   */
  isExpected(error: unknown): error is Error;
  /**
   * Whether an error is no fault of the request: the database is gone. Mutations after it are not tried, and where no
   * root field has a value the request fails as a whole.
   */
  isFatal(error: unknown): boolean;
}

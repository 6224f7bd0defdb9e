import type { IdPort, Ports } from '../ports.ts';

/** The part of a request that the example's declarations use. */
export interface ExampleEnv {
  readonly now: string;
  readonly viewer: ExampleViewer | null;
  readonly signal: AbortSignal;
}

export interface ExampleViewer {
  readonly id: string;
  readonly username: string;
}

/** This column of the target must be true; null permits everyone who can see the target. */
export interface ExamplePolicy {
  readonly requires: string | null;
}

export type ExampleCode = 'UNAUTHENTICATED' | 'FORBIDDEN' | 'INVALID_ARGUMENT' | 'NOT_FOUND' | 'CONFLICT' | 'TIMED_OUT';

/** Errors of the example. */
export class ExampleError extends Error {
  readonly code: ExampleCode;
  readonly field: string | undefined;

  constructor(code: ExampleCode, field?: string, message: string = code, cause?: unknown) {
    super(message, { cause });
    this.code = code;
    this.field = field;
  }
}

declare module '../register.ts' {
  interface Register {
    env: ExampleEnv;
    viewer: ExampleViewer;
    policy: ExamplePolicy;
    credentialKind: 'token';
    idKind: 'maker' | 'book' | 'tool' | 'tag';
  }
}

const KINDS = ['maker', 'book', 'tool', 'tag'] as const;
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Identifiers such as `maker/0197…`. */
export const ids: IdPort = {
  keyType: 'uuid',
  kindOf: (text) => KINDS.find((kind) => text.startsWith(`${kind}/`)) ?? null,
  parse(text) {
    const kind = ids.kindOf(text);
    const id = text.slice(text.indexOf('/') + 1);
    return kind !== null && UUID.test(id) ? { kind, id } : null;
  },
  require(value, kinds, field) {
    const parsed = typeof value === 'string' ? ids.parse(value) : null;
    if (parsed && (kinds === null || kinds.includes(parsed.kind))) return parsed;
    throw new ExampleError('INVALID_ARGUMENT', field, 'This is no such identifier.');
  },
};

/** The application of the example schema: users with tokens, who may change their own rows. */
export const examplePorts: Ports = {
  viewer: {
    rows: { token: 'select id, username, is_limited from people where token = $1 and $2 < access_until' },
    packed: () => `u.id || ' ' || u.username`,
    unpack(packed) {
      const [id = '', username = ''] = String(packed).split(' ');
      return { id, username };
    },
    invalid: () => new ExampleError('UNAUTHENTICATED'),
    identified: (env, viewer) => ({ ...env, viewer }),
    contextOf: (env, signal) => (signal ? { ...env, signal: AbortSignal.any([env.signal, signal]) } : env),
  },
  permissions: {
    condition: (access, _credential, { viewer }) => (access === 'no one' ? 'false' : `${viewer}.id is not null`),
    refuse: (_env, _viewer, access) => (access === 'no one' ? new ExampleError('FORBIDDEN') : null),
    refuseAlways: () => null,
    precondition: (extras) => (extras === 'limited' ? 'not u.is_limited' : null),
  },
  policies: {
    columns: ({ requires }) => (requires === null ? [] : [requires]),
    condition: ({ requires }) => (requires === null ? 'true' : `coalesce("${requires}", false)`),
    refuse({ requires }, target, field) {
      const isAllowed = target !== null && (requires === null || target[requires] === true);
      return isAllowed ? null : new ExampleError('NOT_FOUND', field);
    },
  },
  ids,
  values: { inJson: (sql) => `in_json(${sql})` },
  errors: {
    invalidArgument: (message, { field, cause }) => new ExampleError('INVALID_ARGUMENT', field, message, cause),
    missingArgument: (name) => new ExampleError('INVALID_ARGUMENT', name),
    notFound: (field) => new ExampleError('NOT_FOUND', field),
    listDenied: (field) => new ExampleError('FORBIDDEN', field),
    timedOut: () => new ExampleError('TIMED_OUT'),
    isExpected: (error) => error instanceof ExampleError,
    isFatal: () => false,
  },
};

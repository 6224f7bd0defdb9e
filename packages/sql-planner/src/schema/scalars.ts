import { GraphQLError, type GraphQLScalarTypeConfig, Kind, type ValueNode, valueFromASTUntyped } from 'graphql';

/** A scalar whose values are the same in arguments, in code and in responses. */
export interface ScalarDeclaration {
  readonly description: string;
  /** Returns a valid value unchanged; throws a GraphQLError that says what is expected. */
  readonly parse: (value: unknown) => unknown;
  /** Reads a literal, if it is not a string or an integer. */
  readonly parseLiteral?: GraphQLScalarTypeConfig<unknown, unknown>['parseLiteral'];
  /** Types of variables that may stand where this scalar is expected, besides its own. */
  readonly acceptsVariablesOf?: readonly string[];
  /** Whether every string is a value. */
  readonly isText?: boolean;
}

/** The declaration as graphql-js takes it. */
export function scalarConfig(declaration: ScalarDeclaration) {
  const { description, parse, parseLiteral, acceptsVariablesOf = [], isText = false } = declaration;
  const config: Omit<GraphQLScalarTypeConfig<unknown, unknown>, 'name'> = {
    description,
    extensions: { acceptsVariablesOf, ...(isText && { isText }) },
    serialize: (value) => value,
    parseValue: parse,
    parseLiteral: parseLiteral ?? ((node) => parse(literalValue(node))),
  };
  return config as never; // Pothos wants the types of one scalar
}

/** The value of a literal; undefined for those that no scalar takes. */
function literalValue(node: ValueNode): unknown {
  if (node.kind === Kind.STRING) return node.value;
  return node.kind === Kind.INT ? Number(node.value) : undefined;
}

/** A text of any form: its meaning is checked where it is used. */
export function textScalar(name: string, description: string, accepts: readonly string[]): ScalarDeclaration {
  const parse = (value: unknown) => {
    if (typeof value !== 'string') throw new GraphQLError(`A ${name} is a string.`);
    return value;
  };
  return { description, parse, acceptsVariablesOf: accepts, isText: true };
}

const INSTANT = /^\d{4}-\d{2}-\d{2}[Tt]\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?([Zz]|[+-]\d{2}:\d{2})$/;
const DATE = /^\d{4}-\d{2}-\d{2}$/;

/** Whether a text begins with a day of the calendar; Date.parse accepts 30 February as 2 March. */
function hasDay(text: string): boolean {
  const midnight = Date.parse(`${text.slice(0, 10)}T00:00:00Z`);
  return !Number.isNaN(midnight) && new Date(midnight).getUTCDate() === Number(text.slice(8, 10));
}

/** An instant as ISO 8601 text in UTC, from text with any offset. */
export function parseInstant(value: unknown): string {
  const ms = typeof value === 'string' && INSTANT.test(value) && hasDay(value) ? Date.parse(value) : Number.NaN;
  if (Number.isNaN(ms))
    throw new GraphQLError('A DateTime is an ISO 8601 instant with a time zone, such as 2026-03-01T12:00:00Z.');
  return new Date(ms).toISOString();
}

function parseDate(value: unknown): string {
  if (typeof value === 'string' && hasDay(value)) {
    if (DATE.test(value)) return value;
    if (INSTANT.test(value)) return parseInstant(value);
  }
  throw new GraphQLError('A Date is a day of the calendar, such as 2026-03-01.');
}

/** RFC 6838 section 4.2: restricted names; RFC 9110 section 8.3.1: parameters. */
const MIME_TYPE =
  /^[a-z0-9][\w!#$&^.+-]{0,126}\/[a-z0-9][\w!#$&^.+-]{0,126}(\s*;\s*[\w!#$&^.+-]+=("[^"]*"|[^\s;"]+))*$/i;

function parseMimeType(value: unknown): string {
  if (typeof value !== 'string' || value.length > 255 || !MIME_TYPE.test(value))
    throw new GraphQLError('A MimeType is a media type, such as video/mp4.');
  return value;
}

function parseUrl(value: unknown): string {
  if (typeof value !== 'string' || !URL.canParse(value))
    throw new GraphQLError('A URL is an absolute address, such as https://example.com/video.mp4.');
  return value;
}

function integerParser(name: string): (value: unknown) => number {
  return (value) => {
    if (typeof value !== 'number' || !Number.isSafeInteger(value))
      throw new GraphQLError(`A ${name} is an integer between -(2^53 - 1) and 2^53 - 1.`);
    return value;
  };
}

/** The scalars of every graph, besides GraphQL's own and those of identifiers. */
export const SCALARS = {
  DateTime: {
    description:
      'Instant in UTC, ISO 8601 with milliseconds: 2026-03-01T12:00:00.000Z. Offsets are accepted in arguments.',
    parse: parseInstant,
  },
  Date: {
    description: 'Day of the calendar, ISO 8601: 2026-03-01. Arguments may also be an instant, as a DateTime.',
    parse: parseDate,
    acceptsVariablesOf: ['DateTime'],
  },
  BigInt: {
    description: 'Integer between -(2^53 - 1) and 2^53 - 1, for sizes and counts beyond 32 bits.',
    parse: integerParser('BigInt'),
    acceptsVariablesOf: ['Int', 'Long'],
  },
  Long: {
    description: 'Integer between -(2^53 - 1) and 2^53 - 1, as a BigInt.',
    parse: integerParser('Long'),
    acceptsVariablesOf: ['Int', 'BigInt'],
  },
  URL: {
    description: 'Absolute address, RFC 3986: https://example.com/video.mp4.',
    parse: parseUrl,
    acceptsVariablesOf: ['String'],
  },
  MimeType: {
    description: 'Media type, RFC 6838: video/mp4.',
    parse: parseMimeType,
    acceptsVariablesOf: ['String'],
  },
  JSON: {
    description: 'Any JSON value. Members may be added to those of responses without notice.',
    parse: (value) => value,
    parseLiteral: valueFromASTUntyped,
  },
} satisfies Record<string, ScalarDeclaration>;

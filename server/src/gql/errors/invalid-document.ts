import { type Advice, type DocumentErrors, documentErrorOf, limitError } from '@reelgraph/sql-planner';
import { AppError } from '../../kernel/errors.ts';
import { t } from '../../kernel/languages/message.ts';

interface InvalidDetails {
  /** The argument that is refused. */
  readonly field?: string | undefined;
  /** The operation's cost in points, when it exceeds the limit. */
  readonly cost?: number;
  /** Whether the same request is accepted with POST. */
  readonly needsPost?: boolean;
}

/** Thrown by the stages before execution when a document is refused. */
export class InvalidDocument extends Error {
  readonly errors: DocumentErrors;
  readonly cost: number;
  readonly needsPost: boolean;

  constructor(errors: DocumentErrors, { cost = 0, needsPost = false }: InvalidDetails = {}) {
    super('The document is not valid');
    this.errors = errors;
    this.cost = cost;
    this.needsPost = needsPost;
  }
}

/** The first error of a document that is itself an argument: of its text, or of a value in `variables`. */
export function firstError({ errors, suggesting }: DocumentErrors, argument: string): AppError {
  const [first] = suggesting?.() ?? errors;
  if (!first) return new AppError('GRAPHQL_VALIDATION_FAILED', undefined, { field: argument });
  const [place] = first.locations ?? [];
  const message = place ? t`${first.message} (line ${place.line}, column ${place.column})` : first.message;
  return new AppError('GRAPHQL_VALIDATION_FAILED', message, { ...first.advice, field: argument });
}

/** The suggested fix for an invalid operation. */
const ADVICE = {
  cost: { suggestedFix: t`Ask for fewer entries per page with first or last, above all in lists within lists.` },
  lists: { suggestedFix: t`Send fewer entries in this list: each beyond the first ten costs a point.` },
  documentId: { suggestedFix: t`Send the text of the document as "query" instead.`, field: 'documentId' },
  query: { suggestedFix: t`Send the text of the document as "query".`, field: 'query' },
  subscription: {
    suggestedFix: t`Send the same request with the header Accept: text/event-stream, and read the answer as server-sent
      events.`,
  },
  mutationOverGet: { suggestedFix: t`Send the same request with POST, as JSON in the body.` },
} as const satisfies Record<string, Advice>;

/** A document that exceeds one of our limits. */
export function invalidDocument(
  message: string,
  advice: keyof typeof ADVICE,
  { field, ...details }: InvalidDetails = {},
): InvalidDocument {
  const error = limitError(message, field === undefined ? ADVICE[advice] : { ...ADVICE[advice], field });
  return new InvalidDocument({ errors: [documentErrorOf(error)] }, details);
}

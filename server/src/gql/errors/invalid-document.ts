import { type Advice, type DocumentErrors, documentErrorOf, limitError } from '@reelgraph/sql-planner';

interface InvalidDetails {
  /** Points that the operation would cost, where that is what is wrong. */
  readonly cost?: number;
  /** Whether the same request is accepted with POST. */
  readonly needsPost?: boolean;
}

/** Why a request's document is not executed. Thrown by the stages of a request before execution. */
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

/** What to do about what is wrong with a request for an operation. */
const ADVICE = {
  cost: { suggestedFix: 'Ask for fewer entries per page with first or last, above all in lists within lists.' },
  documentId: { suggestedFix: 'Send the text of the document as "query" instead.', field: 'documentId' },
  query: { suggestedFix: 'Send the text of the document as "query".', field: 'query' },
  subscription: {
    suggestedFix:
      'Send the same request with the header Accept: text/event-stream, and read the answer as server-sent events.',
  },
  mutationOverGet: { suggestedFix: 'Send the same request with POST, as JSON in the body.' },
} as const satisfies Record<string, Advice>;

/** A document that is refused for one reason of ours. */
export function invalidDocument(
  message: string,
  advice: keyof typeof ADVICE,
  details?: InvalidDetails,
): InvalidDocument {
  return new InvalidDocument({ errors: [documentErrorOf(limitError(message, ADVICE[advice]))] }, details);
}

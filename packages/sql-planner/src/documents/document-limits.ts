/** Limits of a document, checked before it is planned. */
export interface DocumentLimits {
  /** Fields below one another. */
  readonly maxDepth: number;
  readonly maxAliases: number;
  readonly maxRootFields: number;
  /** Fields of an operation once fragments are filled in. */
  readonly maxFields: number;
  /** Lexical tokens of a document. */
  readonly maxTokens: number;
  /** Characters of a document: comments and strings are a token however long they are. */
  readonly maxLength: number;
  /** Lists and objects in one another, in values and types. */
  readonly maxNesting: number;
  /** Directives at one place of a document. */
  readonly maxDirectives: number;
  readonly maxOperations: number;
  readonly maxFragments: number;
  /** Variables of an operation. */
  readonly maxVariables: number;
  /** Pairs of fields with the same response name that must be compared, because they are merged into one. */
  readonly maxMergedPairs: number;
}

export const DEFAULT_DOCUMENT_LIMITS: DocumentLimits = {
  maxDepth: 12,
  maxAliases: 30,
  maxRootFields: 10,
  maxFields: 1_000,
  maxTokens: 5_000,
  maxLength: 100_000,
  maxNesting: 20,
  maxDirectives: 5,
  maxOperations: 20,
  maxFragments: 100,
  maxVariables: 200,
  maxMergedPairs: 1_000,
};

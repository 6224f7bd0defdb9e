import type { EntityRef, Graph } from '../../../gql/index.ts';

/** Result types of bulk mutations. */
export interface BatchTypes {
  readonly BatchResult: EntityRef;
  readonly BatchError: EntityRef;
}

/** Declares the result types that the bulk mutations of all domains share. */
export function declareBatch(graph: Graph): BatchTypes {
  const BatchError = graph.object('BatchError', {
    description: 'Why one item of a bulk mutation failed, as in the extensions of an error.',
    fields: (f) => ({
      code: f.value({ type: graph.ErrorCode, description: 'Its code.' }),
      field: f.value({
        type: 'String',
        nullable: true,
        description: 'The argument with its index in the list: ids.2.',
      }),
      message: f.value({ type: 'String', description: 'The error message.' }),
      suggestedFix: f.value({ type: 'String', description: 'How to fix it.' }),
    }),
  });
  const BatchResult = graph.object('BatchResult', {
    description: 'The result for one item of a bulk mutation.',
    fields: (f) => ({
      id: f.value({ type: 'DID', description: 'Id of the item, as sent.' }),
      ok: f.value({ type: 'Boolean', description: 'Whether it succeeded.' }),
      error: f.value({ type: BatchError, nullable: true, description: 'The error; null if it succeeded.' }),
    }),
  });
  return { BatchResult, BatchError };
}

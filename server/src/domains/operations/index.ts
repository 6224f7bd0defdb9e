/** What the composition root may import from operations. */
export { declareOperations } from './operations.graphql.ts';
export { type OperationsDomain, registerOperations } from './register.ts';

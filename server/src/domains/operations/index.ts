/** What the composition root may import from operations. */
export { declareOperations } from './operations.graphql.ts';
export { registerOperations } from './register.ts';

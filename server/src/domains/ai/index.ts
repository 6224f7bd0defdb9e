/** What the composition root may import from ai. */
export { declareAi } from './ai.graphql.ts';
export { type AiDomain, registerAi } from './register.ts';
export type { AiServices } from './services.ts';

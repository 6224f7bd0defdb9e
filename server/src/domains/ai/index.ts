/** What the composition root may see of ai. */
export { declareAi } from './ai.graphql.ts';
export { type AiDomain, registerAi } from './register.ts';
export type { AiServices } from './services.ts';

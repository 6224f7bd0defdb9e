/** What the composition root may import from live. */

export { declareLive } from './live.graphql.ts';
export { type LiveDomain, registerLive } from './register.ts';
export type { LiveServices } from './services.ts';

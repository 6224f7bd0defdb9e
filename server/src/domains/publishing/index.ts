/** What the composition root may import from publishing. */

export { declarePublishing } from './publishing.graphql.ts';
export { type PublishingDependencies, type PublishingDomain, registerPublishing } from './register.ts';
export type { PublishingServices } from './services.ts';

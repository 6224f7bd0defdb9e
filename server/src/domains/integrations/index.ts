/** What the composition root may see of integrations. */
export { declareIntegrations } from './integrations.graphql.ts';

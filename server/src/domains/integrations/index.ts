/** What the composition root may import from integrations. */

export { type EventExample, eventExamples } from './events/event-examples.ts';
export { declareIntegrations } from './integrations.graphql.ts';
export { type IntegrationsDomain, registerIntegrations } from './register.ts';
export type { IntegrationsServices } from './services.ts';

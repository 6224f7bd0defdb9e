/** What higher domains and the composition root may import from engagement. */
export { declareEngagement } from './engagement.graphql.ts';
export { type EngagementDomain, registerEngagement } from './register.ts';
export { rebuildRollUps, rollUpAll } from './roll-up/roll-up-events.ts';
export type { EngagementServices } from './services.ts';

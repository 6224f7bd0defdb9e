/** What higher domains and the composition root may see of discovery. */
export { declareDiscovery } from './discovery.graphql.ts';

/** What higher domains and the composition root may see of discovery. */
export { declareDiscovery } from './discovery.graphql.ts';
export { type DiscoveryDomain, registerDiscovery } from './register.ts';
export { rebuildSearch } from './renewal.store.ts';

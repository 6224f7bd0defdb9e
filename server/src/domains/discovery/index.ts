/** What higher domains and the composition root may see of discovery. */
export { declareDiscovery } from './discovery.graphql.ts';
export { type DiscoveryDomain, registerDiscovery } from './register.ts';
export { renewLists } from './renew-lists.ts';
export { rebuildSearch } from './renewal.store.ts';

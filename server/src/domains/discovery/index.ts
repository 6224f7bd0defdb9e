/** What higher domains and the composition root may see of discovery. */
export { declareDiscovery } from './discovery.graphql.ts';
export { rebuildSearch } from './lists/refresh.store.ts';
export { renewLists } from './lists/refresh-lists.ts';
export { type DiscoveryDomain, registerDiscovery } from './register.ts';

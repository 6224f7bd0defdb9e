/** What higher domains and the composition root may import from discovery. */
export { declareDiscovery } from './discovery.graphql.ts';
export { rebuildSearch } from './lists/refresh.store.ts';
export { refreshLists } from './lists/refresh-lists.ts';
export { type DiscoveryDomain, registerDiscovery } from './register.ts';

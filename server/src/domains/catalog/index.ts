/** What higher domains and the composition root may see of catalog. */
export { declareCatalog } from './catalog.graphql.ts';
export { type CatalogDomain, registerCatalog } from './register.ts';
export type { CatalogServices } from './services.ts';

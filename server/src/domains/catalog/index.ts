/** What higher domains and the composition root may see of catalog. */
export { type CatalogTypes, declareCatalog } from './catalog.graphql.ts';
export { contentDid, isVisibleContent } from './content-types.graphql.ts';
export type { AudienceTypes } from './kinds/audience-types.graphql.ts';
export { type CatalogDomain, registerCatalog } from './register.ts';
export type { CatalogServices } from './services.ts';

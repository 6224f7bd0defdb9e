/** What higher domains and the composition root may see of catalog. */

export type { BatchTypes } from './batch.graphql.ts';
export { type BatchError, type BatchResult, failed, MAX_BATCH, namedTwice, readBatch, succeeded } from './batch.ts';
export { type CatalogTypes, declareCatalog } from './catalog.graphql.ts';
export { makeChaptersFile } from './chapters/serve-chapters.ts';
export { CONTENT_CHANGE, contentNotFound } from './content.policy.ts';
export { type ContentTarget, contentTarget } from './content-commands.store.ts';
export { instant, readContentId } from './content-commands.ts';
export type { ContentEnums } from './content-enums.graphql.ts';
export { type ContentLayout, type ContentTexts, MAX_SUMMARY, MAX_TITLE, readRelease } from './content-input.ts';
export { contentDid, isVisibleContent } from './content-types.graphql.ts';
export { importContent } from './import-content.ts';
export type { AudienceTypes } from './kinds/audience-types.graphql.ts';
export type { ContentStatus } from './lifecycle.ts';
export { type CatalogDomain, registerCatalog } from './register.ts';
export { requireContentTakes } from './require-content-takes.ts';
export type { CatalogServices } from './services.ts';

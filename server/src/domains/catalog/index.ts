/** What higher domains and the composition root may import from catalog. */

export type { BatchTypes } from './batches/batch.graphql.ts';
export {
  type BatchError,
  type BatchResult,
  errorIn,
  failed,
  MAX_BATCH,
  namedTwice,
  readBatch,
  resultsIn,
  succeeded,
} from './batches/batch.ts';
export { type CatalogTypes, declareCatalog } from './catalog.graphql.ts';
export { makeChaptersFile } from './chapters/serve-chapters.ts';
export { CONTENT_CHANGE, contentNotFound } from './contents/content.policy.ts';
export { type ContentTarget, contentTarget, OWN_LIST_TARGET } from './contents/content-commands.store.ts';
export { instant, readContentId } from './contents/content-commands.ts';
export type { ContentEnums } from './contents/content-enums.graphql.ts';
export type { ContentLayout, ContentTexts } from './contents/content-fields.ts';
export { readRelease } from './contents/content-input.ts';
export { isVisibleContent } from './contents/content-visibility.sql.ts';
export { lockContent } from './contents/contents.store.ts';
export type { ContentStatus } from './contents/lifecycle.ts';
export { requireContentTakes } from './contents/require-content-takes.ts';
export { type Presentation, setPresentation } from './contents/set-presentation.ts';
export type { BroadcastClips } from './edits/broadcast-clips.ts';
export { contentDid } from './kinds/content-types.graphql.ts';
export { importContent } from './publication/import-content.ts';
export { publishArriving, withdrawContent } from './publication/publication.store.ts';
export { beginStream, type NewStream, publishStream, showStream } from './publication/publish-stream.ts';
export { uploadDrafts } from './publication/upload-drafts.ts';
export { type CatalogDomain, registerCatalog } from './register.ts';
export type { CatalogServices } from './services.ts';
export { putContentBack, takeContentDown } from './takedown/takedown.store.ts';
export { taxonomyText } from './taxonomy/taxonomy-texts.ts';

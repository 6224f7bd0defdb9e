/** What other domains may import from delivery: how files are sent. */

export { readMedia } from './files/assembled-downloads.ts';
export { type FileGenerator, type FileRequest, firstOf, type GeneratedFile } from './files/generated-media.ts';
export { MediaAccess } from './files/media-access.ts';
export { beginObject } from './files/send-media.ts';
export { type SourceDownload, sourceDownloadOf } from './files/source-download.ts';
export { declareSigningKeys } from './playback/signing-keys.graphql.ts';
export { type DeliveryDependencies, deliveryRoutes } from './register.ts';
export { VERIFY_MEDIA_COMMAND } from './verification/verify-media.command.ts';

/** `@reelgraph/client/select`: fields chosen by the caller, with their types. See README.md. */
export type { Types } from '../generated/fields.gen.ts';
export { mutation, page, query, type Selected, subscription } from './build.ts';
export type { Selection } from './selection.ts';

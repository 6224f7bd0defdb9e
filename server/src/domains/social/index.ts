/** What higher domains and the composition root may import from social. */

export { findCandidate, isBlocked } from './blocks/blocks.store.ts';
export { isVisibleComment } from './comments/comment-visibility.sql.ts';
export { type HoldReason, whyHeld } from './comments/hold-rules.ts';
export { isFollowed } from './follows.sql.ts';
export { closeReportsAbout, putCommentBack, takeCommentDown } from './moderation/takedown.store.ts';
export { registerSocial, type SocialDomain } from './register.ts';
export type { SocialServices } from './services.ts';
export { declareSocial, type SocialTypes } from './social.graphql.ts';
export { blockedHere } from './social.policy.ts';
export type { SocialEnums } from './social-enums.graphql.ts';

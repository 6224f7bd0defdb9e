/** What higher domains and the composition root may import from social. */
export { isVisibleComment } from './comments/comment-visibility.sql.ts';
export { closeReportsAbout, putCommentBack, takeCommentDown } from './moderation/takedown.store.ts';
export { registerSocial, type SocialDomain } from './register.ts';
export type { SocialServices } from './services.ts';
export { declareSocial, type SocialTypes } from './social.graphql.ts';
export type { SocialEnums } from './social-enums.graphql.ts';

/** What higher domains and the composition root may import from live. */

export { isVisibleMessage } from './chat/chat-message.sql.ts';
export { deleteMessage } from './chat/chat-messages.store.ts';
export { declareLive, type LiveTypes } from './live.graphql.ts';
export { type LiveDomain, registerLive } from './register.ts';
export { streamsInStates } from './schedule/schedule.sql.ts';
export type { LiveServices } from './services.ts';

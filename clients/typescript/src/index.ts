/** `@reelgraph/client`: see README.md. */
export { type Client, createClient } from './client.ts';
export { type CoreClient, createCoreClient, type SomeOperations } from './core.ts';
export {
  type Conflict,
  type ErrorDetail,
  NetworkError,
  type NetworkFailure,
  ReelgraphError,
} from './errors.ts';
export type { FollowOptions, Message } from './events/follow.ts';
export type { ErrorCode } from './generated/error-codes.gen.ts';
export type { WebhookEventType } from './generated/event-types.gen.ts';
export * from './generated/operations.gen.ts';
export type { ListMethod } from './methods.ts';
export { type Connection, type NodeOf, type PageOptions, Pages } from './pages/pages.ts';
export { type Document, type OperationKind, operationKind, type TypedDocument } from './request/document.ts';
export type { CallOptions, ClientOptions } from './request/options.ts';
export type { Answer, PartialData } from './request/requester.ts';
export type { RetryOptions } from './retry/backoff.ts';
export type { Cost } from './retry/budget.ts';
export {
  ProcessingError,
  type ProcessingProgress,
  type WaitOptions,
  waitUntilProcessed,
} from './uploads/processing.ts';
export type { UploadProgress } from './uploads/progress.ts';
export { blobSource, streamSource, type UploadSource } from './uploads/source.ts';
export { type UploadOptions, type UploadResult, upload } from './uploads/upload.ts';
export {
  type VerifyOptions,
  verifyWebhook,
  type WebhookFault,
  type WebhookHeaders,
  type WebhookMessage,
  WebhookVerificationError,
} from './webhooks/verify.ts';

/** The GraphQL room: how types and operations are declared, planned and run. It knows no domain. */

export { DEFAULT_LIMITS, type Limits } from './cost.ts';
export { CursorCodec } from './cursor.ts';
export { DID_KINDS, type DidKind, formatDid, type ParsedDid, parseDid, requireDid } from './did.ts';
export { createEngine, type Engine, type EngineOptions } from './engine.ts';
export {
  CHANGES_HELP,
  changeInputFields,
  interfaceFields,
  newInputFields,
  outputField,
  outputFields,
} from './entity-fields/declare-fields.ts';
export {
  booleanField,
  type EntityField,
  enumField,
  type FieldChanges,
  type FieldsInput,
  type FieldValues,
  textField,
  urlField,
  wordsField,
} from './entity-fields/entity-field.ts';
export { readChanges, readNew } from './entity-fields/read-fields.ts';
export { assignments, insertion, NumberedPlaceholders } from './entity-fields/store-fields.ts';
export { DEFAULT_PAGE_SIZE, type FieldDeclaration, type FieldFactory, MAX_PAGE_SIZE } from './fields.ts';
export { Graph } from './graph.ts';
export { RateLimiter } from './limits/rate-limit.ts';
export type { KeyUse, UsageLimits } from './limits/usage-limits.ts';
export { composeCommand, refusalOf } from './plan/compose-command.ts';
export type {
  ArgScope,
  ArgShape,
  CommandScope,
  CommandTarget,
  FieldCost,
  Groups,
  ListScope,
  PayloadValue,
  RowScope,
  StatementCommand,
  SubscriptionEvent,
  TargetScope,
} from './plan/declarations.ts';
export {
  type Client,
  type CommandContext,
  NO_CLIENT,
  type RequestEnv,
  type Services,
  type SubscriptionContext,
} from './request-context.ts';
export type { GraphqlRequest, GraphqlResult, SubscriptionMessage, SubscriptionStart } from './requests.ts';
export { documentIdOf, loadTrustedDocuments, type TrustedDocuments } from './trusted-documents.ts';
export type { ArgBuilder, ArgValues, EntityRef, InputBuilder } from './types.ts';
export type { Authorize, Credential, CredentialKind, Viewer, ViewerSource } from './viewer.ts';
export { plansAllowing } from './viewer.ts';

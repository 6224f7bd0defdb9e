/** The GraphQL module: how types and operations are declared, planned and executed. It contains no domain code. */

import './planner-types.ts';

export {
  type ArgBuilder,
  type ArgScope,
  type ArgShape,
  type ArgValues,
  type CommandScope,
  type CommandTarget,
  CursorCodec,
  type EntityRef,
  type FieldCost,
  type FieldDeclaration,
  type FieldFactory,
  type Groups,
  type InputBuilder,
  type InputRef,
  type Lifecycle,
  type ListScope,
  MAX_PAGE_SIZE,
  type PayloadFields,
  type PayloadValue,
  type RowScope,
  type Selects,
  type StatementCommand,
  type SubscriptionEvent,
  type TargetScope,
} from '@reelgraph/sql-planner';
export { composeCommand, refusalOf } from './commands.ts';
export { countRows } from './count-rows.ts';
export { DID_KINDS, type DidKind, formatDid, type ParsedDid, parseDid, requireDid } from './did.ts';
export type { Engine, EngineOptions } from './engine.ts';
export { type AddValue, withAlternatives } from './entity-fields/alternative-names.ts';
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
export {
  type BasedOn,
  ifRevisionField,
  type PresentValues,
  presentValues,
  type RevisionInput,
  refuseRevision,
  requireRevision,
  revised,
  revisionField,
} from './entity-fields/revisions.ts';
export { assignments, insertion, NumberedPlaceholders } from './entity-fields/store-fields.ts';
export { MAX_EXPORT_LEVELS } from './exports/export-document.ts';
export type { ExportPosition } from './exports/export-position.ts';
export { type ExportSource, type OpenExport, openExport } from './exports/open-export.ts';
export type { ExportStep } from './exports/walk-export.ts';
export { Graph } from './graph.ts';
export { AddressLimiter } from './limits/address-limiter.ts';
export { type NamedObject, objectsIn, type RequireChannels } from './limits/objects-in.ts';
export { RateLimiter } from './limits/rate-limit.ts';
export { DEFAULT_LIMITS, type Limits } from './limits/request-cost.ts';
export { declareTextSizes, mostCharactersOf, textInputs } from './limits/text-sizes.ts';
export type { KeyUse, UsageLimits } from './limits/usage-limits.ts';
export { createEngine } from './pipeline.ts';
export {
  type Client,
  type CommandContext,
  NO_CLIENT,
  type RequestEnv,
  type ResolverContext,
  type Services,
  type SourceContext,
  type SubscriptionContext,
} from './request-context.ts';
export type { GraphqlRequest, GraphqlResult, SubscriptionMessage, SubscriptionStart } from './requests.ts';
export { documentIdOf, loadTrustedDocuments, type TrustedDocuments } from './trusted-documents.ts';
export type {
  Authorize,
  Credential,
  CredentialKind,
  Viewer,
  ViewerScope,
  ViewerSource,
  ViewerToken,
} from './viewer.ts';
export { ANONYMOUS_SCOPE, isForPrograms, makeViewer, plansAllowing, tokenHas, viewerRow } from './viewer.ts';

/** Plans GraphQL operations as SQL. README.md shows how the parts work together. */

export type { InputFieldRef, InputRef } from '@pothos/core';
export { composeCommand, refusalOf } from './command/compose-command.ts';
export { DocumentCache, type Lookup } from './documents/document-cache.ts';
export {
  type Advice,
  type DocumentError,
  type DocumentErrors,
  documentErrorOf,
  limitError,
} from './documents/document-errors.ts';
export { DEFAULT_DOCUMENT_LIMITS, type DocumentLimits } from './documents/document-limits.ts';
export { firstFieldIn } from './documents/error-paths.ts';
export { Lru } from './documents/lru.ts';
export type { Operation } from './documents/operation.ts';
export type { DeprecatedUse } from './documents/plan-key.ts';
export type { Variables } from './documents/values.ts';
export { asError } from './execution/calls.ts';
export type { AroundMutation, Execution, ExecutionRequest, MutationCall } from './execution/execution.ts';
export { UNMET } from './execution/execution.ts';
export { Executor } from './execution/executor.ts';
export { hasLongText, LONG_TEXT } from './execution/long-texts.ts';
export { respond } from './execution/respond.ts';
export { nodeTypes } from './plan/nodes.ts';
export { type OperationPlan, Planner, type SubscriptionRoot } from './plan/planner.ts';
export type {
  ErrorPort,
  IdPort,
  ParsedId,
  PermissionPort,
  PolicyPort,
  Ports,
  ViewerPort,
  ViewerScope,
} from './ports.ts';
export * from './register.ts';
export type { IdScalarOptions } from './schema/builder.ts';
export type { CommandScope, CommandTarget, PayloadValue, StatementCommand, TargetScope } from './schema/commands.ts';
export type {
  ArgScope,
  ArgShape,
  FieldCost,
  Groups,
  ListScope,
  PlannedField,
  RowScope,
  Selects,
  SubscriptionEvent,
} from './schema/declarations.ts';
export {
  DEFAULT_PAGE_SIZE,
  type FieldDeclaration,
  type FieldFactory,
  type InterfaceFieldFactory,
  MAX_PAGE_SIZE,
} from './schema/fields.ts';
export { Graph } from './schema/graph.ts';
export type {
  MutationOptions,
  PayloadFields,
  QueryKeysOptions,
  QueryResolveOptions,
  SubscriptionOptions,
} from './schema/graph-options.ts';
export {
  type Deprecation,
  deprecationReason,
  type Lifecycle,
  lifecycle,
  lifecycleOf,
} from './schema/lifecycle.ts';
export { schemaView } from './schema/rebuild-schema.ts';
export { printWithNullability } from './schema/semantic-non-null.ts';
export type { ArgBuilder, Args, ArgValues, EntityRef, FieldType, InputBuilder } from './schema/types.ts';
export { CursorCodec } from './statements/cursor.ts';
export {
  type Call,
  namedStatement,
  type Row,
  type SqlClient,
  type SqlReader,
  type Statement,
} from './statements/sql.ts';

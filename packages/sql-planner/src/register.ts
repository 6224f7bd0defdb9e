/**
 * The types of the application that uses the planner. It fills them in once, by declaration merging:
 *
 *     declare module '@reelgraph/sql-planner' {
 *       interface Register { env: RequestEnv; access: Permission; … }
 *     }
 *
 * What is left out has the default given here.
 */
// biome-ignore lint/suspicious/noEmptyInterface: filled by declaration merging
export interface Register {}

type Registered<Name extends string, Default> = Register extends { readonly [Key in Name]: infer Type }
  ? Type
  : Default;

/** The request as seen by placeholders and `read` functions. Opaque to the planner. */
export type Env = Registered<'env', unknown>;
/** What commands and resolvers see of it: the viewer is known and was authorized. */
export type CommandContext = Registered<'commandContext', Env>;
/** What the source of a subscription sees of it. */
export type SubscriptionContext = Registered<'subscriptionContext', CommandContext>;
/** The requirement of a root field: the name of a permission, for example. */
export type Access = Registered<'access', string>;
/** Kinds of credentials. */
export type CredentialKind = Registered<'credentialKind', string>;
/** The sender of a request; null for an anonymous one. */
export type Viewer = Registered<'viewer', object>;
/** Who may run a command, in the form that the port of policies reads. */
export type Policy = Registered<'policy', object>;
/** Kinds of objects that have a public identifier. */
export type IdKind = Registered<'idKind', string>;
/** Name of the scalar of public identifiers. */
export type IdScalar = Registered<'idScalar', 'GlobalId'>;
/** Additional declarations of a mutation. */
export type MutationExtras = Registered<'mutationExtras', unknown>;

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

/** What placeholders and `read` functions see of the request. The planner hands it on and never looks inside. */
export type Env = Registered<'env', unknown>;
/** What commands and resolvers see of it: the viewer is known and was authorized. */
export type CommandContext = Registered<'commandContext', Env>;
/** What the source of a subscription sees of it. */
export type SubscriptionContext = Registered<'subscriptionContext', CommandContext>;
/** What a root field asks of its caller: the name of a permission, for example. */
export type Access = Registered<'access', string>;
/** The kinds of proof a request can come with. */
export type CredentialKind = Registered<'credentialKind', string>;
/** Who sent a request; null stands for an anonymous one. */
export type Viewer = Registered<'viewer', object>;
/** Who may run a command, in the form that the port of policies reads. */
export type Policy = Registered<'policy', object>;
/** Kinds of objects that have a public identifier. */
export type IdKind = Registered<'idKind', string>;
/** Name of the scalar of public identifiers. */
export type IdScalar = Registered<'idScalar', 'GlobalId'>;
/** What the application declares of a mutation besides. */
export type MutationExtras = Registered<'mutationExtras', unknown>;

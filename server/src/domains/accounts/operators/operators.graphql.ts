import { countRows, type EntityRef, type Graph } from '../../../gql/index.ts';
import { accountOf } from '../account-of.ts';
import { INVITATION_DAYS, MAX_INVITATION_DAYS, MAX_NOTE } from './invitation.policy.ts';
import { invitationState, NO_OPERATOR, usernameOf, usernameOfInvited } from './operators.sql.ts';

/** Declares the claim of the operator role and the invitations of operators. */
export function declareOperators(graph: Graph, { Node, Me }: Record<'Node' | 'Me', EntityRef>): void {
  graph.extend(Me, (f) => ({
    isOperator: f.column({
      type: 'Boolean',
      description:
        'Whether the account is an operator of this server and ' +
        'signed in; false for its key and connected applications.',
      sql: (s) => `${s.t}.is_operator`,
    }),
    canClaimOperator: f.column({
      type: 'Boolean',
      description:
        'Whether this server has no operator yet: whoever has its one-time code becomes its operator with ' +
        'claimOperator.',
      sql: () => NO_OPERATOR,
    }),
  }));
  declareClaim(graph);
  declareInvitationMutations(graph, declareInvitation(graph, Node));
}

function declareClaim(graph: Graph): void {
  const ClaimOperatorInput = graph.builder.inputType('ClaimOperatorInput', {
    description: 'The one-time code of this server.',
    fields: (t) => ({ code: t.string({ required: true, description: 'The code, rgo_ and 24 characters.' }) }),
  });
  graph.mutation('claimOperator', {
    access: 'operator:claim',
    description:
      'Makes the signed-in account an operator of this server, using its one-time code. While there is no ' +
      'operator, each start on a terminal prints a new code; otherwise it is in the file DATA_DIR/operator-code. ' +
      'It is valid for a day; after that restart the server, or run the admin command grant-operator. For ' +
      'sessions only, and never for the demo account; attempts are limited.',
    payload: (f) => ({
      isOperator: f.value({ type: 'Boolean', description: 'Whether the account is an operator now.' }),
    }),
    args: (t) => ({ input: t.field({ type: ClaimOperatorInput, required: true, description: 'The code.' }) }),
    command: async (context, { input }) => {
      await context.services.accounts.claimOperator(accountOf(context), input.code);
      return { isOperator: true };
    },
  });
}

function declareInvitation(graph: Graph, Node: EntityRef): EntityRef {
  const InvitationState = graph.builder.enumType('InvitationState', {
    description: 'State of an invitation.',
    values: {
      OPEN: { description: 'It can be used to create an account.' },
      USED: { description: 'It was used to create an account.' },
      REVOKED: { description: 'An operator revoked it.' },
      EXPIRED: { description: 'It has expired.' },
    } as const,
  });
  const Invitation = graph.entity('Invitation', {
    description: 'Lets one person create one account on this server. Its code is shown only when it is created.',
    table: 'invitations',
    interfaces: [Node],
    node: { kinds: ['invitation'], where: (_, s) => `${s.viewer}.is_operator` },
    fields: (f) => ({
      id: f.column({
        type: 'DID',
        description: 'Id.',
        sql: (s) => `${s.t}.id`,
        read: ([id]: [string], env) => env.did('invitation', id),
      }),
      state: f.column({
        type: InvitationState,
        description: 'Its state.',
        sql: (s) => invitationState(s.t, s),
      }),
      email: f.column({
        type: 'String',
        nullable: true,
        description: 'The only email address that can use it; null for any.',
        sql: (s) => `${s.t}.email`,
      }),
      note: f.column({ type: 'String', description: "The operator's note.", sql: (s) => `${s.t}.note` }),
      createdAt: f.column({ type: 'DateTime', description: 'When it was created.', sql: (s) => `${s.t}.created_at` }),
      createdBy: f.column({
        type: 'String',
        nullable: true,
        description:
          'Username of the operator who created it; null for the admin command, or if the account was deleted.',
        sql: (s) => usernameOf(`${s.t}.created_by`),
      }),
      expiresAt: f.column({ type: 'DateTime', description: 'When it expires.', sql: (s) => `${s.t}.expires_at` }),
      revokedAt: f.column({
        type: 'DateTime',
        nullable: true,
        description: 'When it was revoked.',
        sql: (s) => `${s.t}.revoked_at`,
      }),
      usedAt: f.column({
        type: 'DateTime',
        nullable: true,
        description: 'When it was used to create an account.',
        sql: (s) => `${s.t}.used_at`,
      }),
      usedBy: f.column({
        type: 'String',
        nullable: true,
        description: 'Username of the account that was created with it; null if there is none, or it was deleted.',
        sql: (s) => usernameOfInvited(`${s.t}.id`),
      }),
    }),
  });
  graph.queryConnection('invitations', {
    access: 'invitation:manage',
    type: Invitation,
    description: 'Invitations to this server, newest first. For signed-in operators.',
    where: (_, s) => `${s.viewer}.is_operator`,
    order: (child) => [`${child}.created_at`, `${child}.id`],
    total: (s) => countRows('invitations', () => `${s.viewer}.is_operator`),
  });
  return Invitation;
}

function declareInvitationMutations(graph: Graph, Invitation: EntityRef): void {
  const CreateInvitationInput = graph.builder.inputType('CreateInvitationInput', {
    description: 'A new invitation.',
    fields: (t) => ({
      email: t.string({ description: 'The only email address that can use it; any if omitted.' }),
      expiresAt: t.field({
        type: 'DateTime',
        description: `When it expires, at most ${MAX_INVITATION_DAYS} days ahead; ${INVITATION_DAYS} days if omitted.`,
      }),
      note: t.string({ description: `A note for the list of invitations, at most ${MAX_NOTE} characters.` }),
    }),
  });
  graph.mutation('createInvitation', {
    access: 'invitation:manage',
    description:
      'Creates an invitation with which one person can create one account, and sends its link to the address that it ' +
      'is for, where the server sends email. For signed-in operators.',
    payload: (f) => ({
      code: f.value({
        type: 'String',
        secret: true,
        description: 'The code: anyone who has it can create an account. Shown only now.',
      }),
      url: f.value({
        type: 'URL',
        secret: true,
        description: 'Address of the sign-up page with the code, and with the email address that it is for.',
      }),
      mailed: f.value({
        type: 'Boolean',
        description: 'Whether the link is sent to that address: on servers that send email, unless it is for any.',
      }),
      invitation: f.read({ type: Invitation, description: 'Details of the invitation.' }),
    }),
    args: (t) => ({ input: t.field({ type: CreateInvitationInput, required: true, description: 'The invitation.' }) }),
    command: async (context, { input }) => {
      const { accounts } = context.services;
      const { id, link, ...created } = await accounts.createInvitation(accountOf(context), input, context.language);
      return { ...created, url: link, invitation: id };
    },
  });
  graph.mutation('revokeInvitation', {
    access: 'invitation:manage',
    description: 'Revokes an invitation: it can no longer be used. For signed-in operators.',
    payload: (f) => ({ invitation: f.read({ type: Invitation, description: 'The invitation.' }) }),
    args: (t) => ({ id: t.field({ type: 'DID', required: true, description: 'Id of the invitation.' }) }),
    command: async (context, { id }) => {
      const { id: invitation } = context.parseDid(id, ['invitation'], 'id');
      await context.services.accounts.revokeInvitation(invitation);
      return invitation;
    },
  });
}

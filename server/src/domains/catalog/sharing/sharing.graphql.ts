import { type ArgBuilder, countRows, type EntityRef, type Graph, type RowScope } from '../../../gql/index.ts';
import { deletions } from '../../../kernel/key-budgets.ts';
import { type ChannelTypes, isSharedContent, mayInChannel, SHARED_CONTENTS } from '../../channels/index.ts';
import { shareContent, unshareContent } from './share-content.ts';
import {
  createShareLink,
  deleteShareLink,
  MAX_LINK_NAME,
  MAX_LINK_PASSWORD,
  MIN_LINK_PASSWORD,
} from './share-links.ts';
import { CONTENT_SHARING, MAX_SHARE_LINKS, MAX_SHARES, SHARE_CHANGE, SHARE_LINK_CHANGE } from './sharing.policy.ts';
import { isUsableLink } from './sharing.sql.ts';

interface Types extends Pick<ChannelTypes, 'MemberAccount' | 'Node'> {
  readonly Me: EntityRef;
  readonly Content: EntityRef;
}

/** What ends at once for new requests, and when for players that are running. */
const ENDS = 'Who is watching is stopped within a minute.';

/** Declares the people that a private content is shared with, links to it, and what is shared with an account. */
export function declareSharing(graph: Graph, types: Types): void {
  const ContentShare = declareShare(graph, types);
  const ShareLink = declareLink(graph, types);
  const newest = (child: string) => [`${child}.created_at`, `${child}.id`];
  const mayShare = (s: RowScope) => mayInChannel(s, `${s.t}.channel_id`, 'content:publish');
  graph.extend(types.Content, (f) => ({
    shares: f.connection({
      type: ContentShare,
      nullable: true,
      description:
        `The people it is shared with while it is private, last added first; at most ${MAX_SHARES}. Null unless the ` +
        'viewer may publish it.',
      where: (child, s) => `${child}.content_id = ${s.t}.id`,
      order: newest,
      total: (s) => countRows('content_shares', (row) => `${row}.content_id = ${s.t}.id`),
      visibleIf: mayShare,
    }),
    shareLinks: f.connection({
      type: ShareLink,
      nullable: true,
      description:
        `Links to it for people without an account, newest first; at most ${MAX_SHARE_LINKS}. Null unless the viewer ` +
        'may publish it.',
      where: (child, s) => `${child}.content_id = ${s.t}.id`,
      order: newest,
      total: (s) => countRows('share_links', (row) => `${row}.content_id = ${s.t}.id`),
      visibleIf: mayShare,
    }),
  }));
  const shared = (child: string, s: RowScope) =>
    `${child}.shared_with = ${s.t}.account_id and ${child}.effective_visibility = 'PRIVATE' and ` +
    isSharedContent(child, s);
  graph.extend(types.Me, (f) => ({
    sharedContents: f.connection({
      type: types.Content,
      description:
        'Private contents of others that are shared with the account, by its name or by its confirmed address, last ' +
        'shared first. They are in no other list.',
      from: SHARED_CONTENTS,
      where: shared,
      order: (child) => [`${child}.shared_at`, `${child}.id`],
      total: (s) => countRows(SHARED_CONTENTS, (row) => shared(row, s)),
    }),
  }));
  declareShareMutations(graph, types, ContentShare);
  declareLinkMutations(graph, types, ShareLink);
}

function declareShare(graph: Graph, { Node, Content, MemberAccount }: Types): EntityRef {
  return graph.entity('ContentShare', {
    description: 'A person whom a private content is shared with.',
    table: 'content_shares',
    interfaces: [Node],
    node: {
      kinds: ['contentShare'],
      where: (child, s) => mayInChannel(s, `${child}.channel_id`, 'content:publish'),
    },
    fields: (f) => ({
      id: f.column({
        type: 'DID',
        description: 'Id of the share.',
        sql: (s) => `${s.t}.id`,
        read: ([id]: [string], env) => env.did('contentShare', id),
      }),
      content: f.one({ type: Content, description: 'The content.', on: (c, s) => `${c}.id = ${s.t}.content_id` }),
      account: f.one({
        type: MemberAccount,
        nullable: true,
        description: 'The account; null for an address.',
        on: (child, s) => `${child}.id = ${s.t}.account_id`,
      }),
      email: f.column({
        type: 'String',
        nullable: true,
        description: 'The address, which gives access to the account that has confirmed it; null for an account.',
        sql: (s) => `${s.t}.email`,
      }),
      sharedBy: f.one({
        type: MemberAccount,
        nullable: true,
        description: 'Who shared it; null if the account was deleted.',
        on: (child, s) => `${child}.id = ${s.t}.created_by`,
      }),
      createdAt: f.column({ type: 'DateTime', description: 'When it was shared.', sql: (s) => `${s.t}.created_at` }),
    }),
  });
}

function declareLink(graph: Graph, { Node, Content }: Types): EntityRef {
  return graph.entity('ShareLink', {
    description: 'A link at which a private content can be watched without an account.',
    table: 'share_links',
    interfaces: [Node],
    node: {
      kinds: ['shareLink'],
      where: (child, s) => mayInChannel(s, `${child}.channel_id`, 'content:publish'),
    },
    fields: (f) => ({
      id: f.column({
        type: 'DID',
        description: 'Id of the link.',
        sql: (s) => `${s.t}.id`,
        read: ([id]: [string], env) => env.did('shareLink', id),
      }),
      content: f.one({ type: Content, description: 'The content.', on: (c, s) => `${c}.id = ${s.t}.content_id` }),
      name: f.column({ type: 'String', description: 'Whom it is for; may be empty.', sql: (s) => `${s.t}.name` }),
      hasPassword: f.column({
        type: 'Boolean',
        description: 'Whether it asks for a password.',
        sql: (s) => `${s.t}.password_hash is not null`,
      }),
      expiresAt: f.column({
        type: 'DateTime',
        nullable: true,
        description: 'When it expires; null if it does not.',
        sql: (s) => `${s.t}.expires_at`,
      }),
      maxUses: f.column({
        type: 'Int',
        nullable: true,
        description: 'How often it can be opened; null for any number of times.',
        sql: (s) => `${s.t}.max_uses`,
      }),
      usesCount: f.column({
        type: 'Int',
        description: 'How often it was opened. Who reloads the page within twelve hours opens it once.',
        sql: (s) => `${s.t}.uses`,
      }),
      isUsable: f.column({
        type: 'Boolean',
        description: 'Whether it can still be opened: it has not expired, and not been opened as often as it may be.',
        sql: (s) =>
          isUsableLink(
            s.t,
            s.param((env) => env.nowIso, 'timestamptz'),
          ),
      }),
      createdAt: f.column({ type: 'DateTime', description: 'When it was created.', sql: (s) => `${s.t}.created_at` }),
      lastUsedAt: f.column({
        type: 'DateTime',
        nullable: true,
        description: 'When it was last opened; null if never.',
        sql: (s) => `${s.t}.last_used_at`,
      }),
    }),
  });
}

const idOf = (what: string) => (t: ArgBuilder) => ({
  id: t.field({ type: 'DID', required: true, description: `Id of ${what}.` }),
});

function declareShareMutations(graph: Graph, { Content }: Types, ContentShare: EntityRef): void {
  const ShareContentInput = graph.builder.inputType('ShareContentInput', {
    description: 'With whom a content is shared: either username or email.',
    fields: (t) => ({
      username: t.string({ description: 'Username of an account.' }),
      email: t.string({ description: 'Email address, with or without an account.' }),
    }),
  });
  graph.mutation('shareContent', {
    access: 'content:publish',
    policies: [CONTENT_SHARING],
    description:
      'Shares a private content with a person, who finds it in me.sharedContents and can watch it, ' +
      'published or not. An address gives access to the account that has confirmed it, now or later. Nobody is ' +
      `notified. Idempotent. A content is shared with at most ${MAX_SHARES} people.`,
    payload: (f) => ({
      share: f.read({ type: ContentShare, description: 'The share.' }),
      content: f.read({ type: Content, description: 'The content.' }),
    }),
    args: (t) => ({
      ...idOf('the content')(t),
      input: t.field({ type: ShareContentInput, required: true, description: 'The person.' }),
    }),
    command: (context, args) => shareContent(context, args),
  });
  graph.mutation('unshareContent', {
    access: 'content:publish',
    policies: [SHARE_CHANGE],
    charges: () => deletions(1),
    description: `Ends a share: the person can no longer see the content. ${ENDS}`,
    payload: (f) => ({
      id: f.value({ type: 'DID', description: 'Id of the share.' }),
      content: f.read({ type: Content, description: 'The content.' }),
    }),
    args: idOf('the share'),
    command: (context, args) => unshareContent(context, args),
  });
}

function declareLinkMutations(graph: Graph, { Content }: Types, ShareLink: EntityRef): void {
  const CreateShareLinkInput = graph.builder.inputType('CreateShareLinkInput', {
    description: 'A new link.',
    fields: (t) => ({
      content: t.field({ type: 'DID', required: true, description: 'Id of the content.' }),
      name: t.string({ description: `Whom it is for, at most ${MAX_LINK_NAME} characters.` }),
      password: t.string({
        description: `Password that it asks for, ${MIN_LINK_PASSWORD} to ${MAX_LINK_PASSWORD} characters.`,
      }),
      expiresAt: t.field({ type: 'DateTime', description: 'When it expires; never if omitted.' }),
      maxUses: t.int({ description: 'How often it can be opened; any number of times if omitted.' }),
    }),
  });
  graph.mutation('createShareLink', {
    access: 'content:publish',
    policies: [CONTENT_SHARING],
    description:
      'Creates a link at which a private content can be watched without an account, published or not. A content ' +
      `has at most ${MAX_SHARE_LINKS}.`,
    payload: (f) => ({
      shareLink: f.read({ type: ShareLink, description: 'The link.' }),
      url: f.value({ type: 'URL', secret: true, description: 'Its address. Shown only now: it is not stored.' }),
    }),
    args: (t) => ({
      input: t.field({ type: CreateShareLinkInput, required: true, description: 'The link.' }),
    }),
    command: async (context, args) => ({ ...(await createShareLink(context, args)) }),
  });
  graph.mutation('deleteShareLink', {
    access: 'content:publish',
    policies: [SHARE_LINK_CHANGE],
    charges: () => deletions(1),
    description: `Deletes a link: it no longer opens. ${ENDS}`,
    payload: (f) => ({
      id: f.value({ type: 'DID', description: 'Id of the link.' }),
      content: f.read({ type: Content, description: 'The content.' }),
    }),
    args: idOf('the link'),
    command: (context, args) => deleteShareLink(context, args),
  });
}

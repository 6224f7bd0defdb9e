import {
  type ArgScope,
  countRows,
  type EntityRef,
  type Graph,
  newInputFields,
  outputFields,
} from '../../../gql/index.ts';
import { deletions } from '../../../kernel/key-budgets.ts';
import { CHANNEL_CHANGE, mayInChannel } from '../../channels/index.ts';
import { MAX_SIGNING_KEYS } from './signing-key.ts';
import { createSigningKey, deleteSigningKey, SIGNING_KEY_CHANGE, SIGNING_KEY_FIELDS } from './signing-key-commands.ts';

interface Types {
  readonly Node: EntityRef;
  readonly Channel: EntityRef;
}

const DELETED = 'Tokens that it signed are refused at once, and players that began with one stop within a minute.';

/** Declares signing keys, with which sites issue playback tokens. */
export function declareSigningKeys(graph: Graph, types: Types): void {
  const SigningAlgorithm = declareAlgorithm(graph);
  const SigningKey = declareSigningKey(graph, types, SigningAlgorithm);
  const channelOf = (s: ArgScope) => (s.given('channel') ? s.id('channel', ['channel']) : null);
  graph.queryConnection('signingKeys', {
    access: 'signing_key:manage',
    type: SigningKey,
    nullable: true,
    denied: { field: 'channel' },
    description: `The signing keys of a channel, newest first; at most ${MAX_SIGNING_KEYS}.`,
    args: (t) => ({
      channel: t.field({ type: 'DID', description: "Id of the channel; default: the account's own channel." }),
    }),
    where: (child, s, args) => `${child}.channel_id = ${channelOf(args) ?? `${s.viewer}.channel_id`}`,
    visibleIf: (s, args) => mayInChannel(s, channelOf(args) ?? `${s.viewer}.channel_id`, 'signing_key:manage'),
    order: (child) => [`${child}.created_at`, `${child}.id`],
    total: (s, args) =>
      countRows('signing_keys', (row) => `${row}.channel_id = ${channelOf(args) ?? `${s.viewer}.channel_id`}`),
  });
  declareMutations(graph, { SigningKey, SigningAlgorithm, Channel: types.Channel });
}

function declareAlgorithm(graph: Graph) {
  return graph.builder.enumType('SigningAlgorithm', {
    description: 'Algorithm of a signing key, the "alg" of its tokens.',
    values: {
      EDDSA: { description: 'EdDSA with Ed25519: short tokens.' },
      RS256: { description: 'RSASSA-PKCS1-v1_5 with SHA-256, which every JWT library supports.' },
    } as const,
  });
}

type AlgorithmRef = ReturnType<typeof declareAlgorithm>;

function declareSigningKey(graph: Graph, { Node, Channel }: Types, SigningAlgorithm: AlgorithmRef): EntityRef {
  return graph.entity('SigningKey', {
    description: 'The public half of a key with which a site signs playback tokens for private contents.',
    table: 'signing_keys',
    interfaces: [Node],
    node: { kinds: ['signingKey'], where: (child, s) => mayInChannel(s, `${child}.channel_id`, 'signing_key:manage') },
    fields: (f) => ({
      id: f.column({
        type: 'DID',
        description: 'Id of the key: the "kid" in the header of its tokens.',
        sql: (s) => `${s.t}.id`,
        read: ([id]: [string], env) => env.did('signingKey', id),
      }),
      channel: f.one({
        type: Channel,
        description: 'The channel whose contents its tokens play.',
        on: (child, s) => `${child}.id = ${s.t}.channel_id`,
      }),
      ...outputFields(f, SIGNING_KEY_FIELDS),
      algorithm: f.column({ type: SigningAlgorithm, description: 'Its algorithm.', sql: (s) => `${s.t}.algorithm` }),
      publicKey: f.column({ type: 'String', description: 'The public key as PEM.', sql: (s) => `${s.t}.public_key` }),
      createdAt: f.column({ type: 'DateTime', description: 'When it was created.', sql: (s) => `${s.t}.created_at` }),
      lastUsedAt: f.column({
        type: 'DateTime',
        nullable: true,
        description: 'When one of its tokens was last accepted, to the minute; null if never.',
        sql: (s) => `${s.t}.last_used_at`,
      }),
    }),
  });
}

function declareMutations(
  graph: Graph,
  {
    SigningKey,
    SigningAlgorithm,
    Channel,
  }: { SigningKey: EntityRef; SigningAlgorithm: AlgorithmRef; Channel: EntityRef },
): void {
  const CreateSigningKeyInput = graph.builder.inputType('CreateSigningKeyInput', {
    description: 'A new signing key.',
    fields: (t) => ({
      channel: t.field({ type: 'DID', description: "Id of the channel; default: the account's own channel." }),
      ...newInputFields(t, SIGNING_KEY_FIELDS),
      algorithm: t.field({ type: SigningAlgorithm, description: 'Algorithm of the new key pair; EDDSA if omitted.' }),
      publicKey: t.string({
        description:
          'A public key of yours as PEM (Ed25519, or RSA of 2,048 to 4,096 bits), whose private half stays with ' +
          'you; if omitted, a new pair is generated.',
      }),
    }),
  });
  graph.mutation('createSigningKey', {
    access: 'signing_key:manage',
    policies: [CHANNEL_CHANGE],
    description:
      'Creates a key with which your site signs playback tokens for the private contents of a channel. ' +
      `A channel has at most ${MAX_SIGNING_KEYS}.`,
    payload: (f) => ({
      signingKey: f.read({ type: SigningKey, description: 'The key.' }),
      privateKey: f.value({
        type: 'String',
        nullable: true,
        secret: true,
        description: 'The private key as PEM (PKCS #8). Shown only now; null if you sent a public key.',
      }),
    }),
    args: (t) => ({
      input: t.field({ type: CreateSigningKeyInput, required: true, description: 'The key.' }),
    }),
    command: async (context, args) => {
      const { id, privateKey } = await createSigningKey(context, args);
      return { signingKey: id, privateKey };
    },
  });
  graph.mutation('deleteSigningKey', {
    access: 'signing_key:manage',
    policies: [SIGNING_KEY_CHANGE],
    charges: () => deletions(1),
    description: `Deletes a signing key. ${DELETED}`,
    payload: (f) => ({
      id: f.value({ type: 'DID', description: 'Id of the key.' }),
      channel: f.read({ type: Channel, description: 'The channel.' }),
    }),
    args: (t) => ({ id: t.field({ type: 'DID', required: true, description: 'Id of the key.' }) }),
    command: (context, args) => deleteSigningKey(context, args),
  });
}

import assert from 'node:assert/strict';
import { createPrivateKey, createPublicKey, generateKeyPairSync, sign, verify } from 'node:crypto';
import { describe, it } from 'node:test';
import { AppError } from '../../../kernel/errors.ts';
import { generateSigningKey, readPublicKey } from './signing-key.ts';

const pem = (key: { export(options: { type: 'spki'; format: 'pem' }): string | Buffer }) =>
  key.export({ type: 'spki', format: 'pem' }).toString();
const refused = (text: string) => {
  try {
    readPublicKey(text, 'input.publicKey');
  } catch (error) {
    assert.ok(error instanceof AppError);
    return [error.code, error.field, error.message];
  }
  return 'accepted';
};
const NOT_FOR_TOKENS = ['INVALID_INPUT', 'input.publicKey', 'This is not a public key for signing playback tokens.'];

describe('signing keys', () => {
  for (const [algorithm, type, digest] of [
    ['EDDSA', 'ed25519', null],
    ['RS256', 'rsa', 'sha256'],
  ] as const) {
    it(`of ${algorithm} are generated as pairs`, async () => {
      const pair = await generateSigningKey(algorithm);
      assert.equal(createPublicKey(pair.publicKey).asymmetricKeyType, type);
      const data = Buffer.from('a token');
      const signature = sign(digest, data, createPrivateKey(pair.privateKey));
      assert.ok(verify(digest, data, pair.publicKey, signature));
      assert.deepEqual(readPublicKey(pair.publicKey, 'key'), { algorithm, publicKey: pair.publicKey });
    });
  }

  it('of other kinds, weak ones and text are refused', () => {
    for (const text of [
      '',
      'key',
      '-----BEGIN PUBLIC KEY-----\nAAAA\n-----END PUBLIC KEY-----\n',
      'A'.repeat(100_000),
      pem(generateKeyPairSync('rsa', { modulusLength: 1024 }).publicKey),
      pem(generateKeyPairSync('ec', { namedCurve: 'P-256' }).publicKey),
      pem(generateKeyPairSync('x25519').publicKey),
    ])
      assert.deepEqual(refused(text), NOT_FOR_TOKENS, text.slice(0, 40));
  });

  it('that are private are refused with advice to replace them', () => {
    const { privateKey } = generateKeyPairSync('ed25519');
    assert.deepEqual(refused(privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()), [
      'INVALID_INPUT',
      'input.publicKey',
      'This is a private key. It was not stored.',
    ]);
  });
});

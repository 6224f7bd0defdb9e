import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { ConfigError, describeSettings, readConfig } from './config.ts';

/** What the name or the description of a secret has. */
const LOOKS_SECRET = /SECRET|PASSWORD|TOKEN|CREDENTIAL|PRIVATE|PASSPHRASE|KEY/;
const TELLS_OF_SECRETS = /\b(?:password|passphrase|secret key|access key|signing secret|client secret)\b/i;
/** Paths and addresses, which are no secrets. */
const NO_SECRETS = ['RTMPS_KEY_FILE', 'YOUTUBE_TOKEN_URL'];
const WITH_CREDENTIALS = ['DATABASE_URL', 'SMTP_URL'];

describe('secrets in files', () => {
  let folder: string;
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'reelgraph-secret-files-'));
  });
  after(() => rmSync(folder, { recursive: true, force: true }));

  function file(name: string, content: string): string {
    writeFileSync(join(folder, name), content);
    return join(folder, name);
  }
  function problemsOf(env: Record<string, string>): string {
    try {
      readConfig(env);
    } catch (error) {
      if (error instanceof ConfigError) return error.message;
      throw error;
    }
    return '';
  }

  it('are every setting that looks like a secret', () => {
    const secrets = describeSettings().filter(({ isSecret }) => isSecret);
    assert.deepEqual(
      secrets.map(({ name }) => name),
      [
        'DATABASE_URL',
        'SECRET_KEY',
        'SECRET_KEY_PREVIOUS',
        'S3_ACCESS_KEY_ID',
        'S3_SECRET_ACCESS_KEY',
        'OIDC_<NAME>_CLIENT_SECRET',
        'SMTP_URL',
        'STRIPE_SECRET_KEY',
        'STRIPE_WEBHOOK_SECRET',
        'YOUTUBE_CLIENT_SECRET',
        'SPEECH_API_KEY',
        'TRANSLATION_API_KEY',
      ],
    );
    for (const { name, about, isSecret } of describeSettings()) {
      if (NO_SECRETS.includes(name)) continue;
      const looksSecret = LOOKS_SECRET.test(name) || WITH_CREDENTIALS.includes(name);
      const tells = TELLS_OF_SECRETS.test(about) && !/^Client id/.test(about);
      assert.equal(isSecret, looksSecret, `${name}: mark it with \`secret\` in settings.ts, or name it in this test`);
      if (tells) assert.equal(isSecret, true, `${name} has a secret by its description`);
    }
  });

  it('are not named like another setting', () => {
    const names = new Set(describeSettings().map(({ name }) => name));
    for (const { name, isSecret } of describeSettings()) if (isSecret) assert.ok(!names.has(`${name}_FILE`), name);
  });

  it('are read, without one line break at the end', () => {
    const base = 'postgres://reelgraph:pa ss@db.example.com/reelgraph';
    for (const [name, ending, value] of [
      ['plain', '', base],
      ['unix', '\n', base],
      ['windows', '\r\n', base],
      ['two', '\n\n', `${base}\n`],
      ['space', ' \n', `${base} `],
    ] as const)
      assert.equal(readConfig({ DATABASE_URL_FILE: file(name, `${base}${ending}`) }).DATABASE_URL, value, name);
  });

  it('decide what depends on them, as settings do', () => {
    const { demo, SANDBOX } = readConfig({ DATABASE_URL_FILE: file('url', 'postgres://db/x\n') });
    assert.deepEqual([demo, SANDBOX], [false, 'require']);
    const keys = { S3_ACCESS_KEY_ID_FILE: file('id', 'AKIA'), S3_SECRET_ACCESS_KEY_FILE: file('key', 'hidden') };
    const config = readConfig({ STORAGE: 's3', S3_BUCKET: 'videos', ...keys });
    assert.deepEqual([config.S3_ACCESS_KEY_ID, config.S3_SECRET_ACCESS_KEY], ['AKIA', 'hidden']);
  });

  it('are read for each provider, too', () => {
    const provider = { OIDC_SSO_ISSUER: 'https://sso.example.com', OIDC_SSO_CLIENT_ID: 'reelgraph' };
    const secret = { OIDC_SSO_CLIENT_SECRET_FILE: file('client', 'hidden\n') };
    const { oidcProviders } = readConfig({ OIDC_PROVIDERS: 'sso', ...provider, ...secret });
    assert.equal(oidcProviders[0]?.CLIENT_SECRET, 'hidden');
  });

  it('are refused beside the setting itself', () => {
    assert.equal(
      problemsOf({ SPEECH_API_KEY: 'a', SPEECH_API_KEY_FILE: file('speech', 'b') }),
      'Invalid settings:\n  SPEECH_API_KEY_FILE: ' +
        'SPEECH_API_KEY and SPEECH_API_KEY_FILE are both set: remove one of them',
    );
  });

  it('are refused when there is no file, or nothing in it, with what to do', () => {
    const missing = join(folder, 'missing');
    const directory = join(folder, 'directory');
    mkdirSync(directory);
    for (const [path, problem] of [
      [missing, `there is no file ${missing}: create it, or correct the path`],
      [directory, `${directory} cannot be read (EISDIR): let the user of the server read this file`],
      [file('empty', ''), `${join(folder, 'empty')} is empty: write the secret into it`],
      [file('break', '\n'), `${join(folder, 'break')} is empty: write the secret into it`],
      [
        file('large', 'x'.repeat(65_537)),
        `${join(folder, 'large')} is larger than 65536 bytes: name the file that has only the secret`,
      ],
    ] as const)
      assert.equal(problemsOf({ SMTP_URL_FILE: path }), `Invalid settings:\n  SMTP_URL_FILE: ${problem}`);
  });

  it('never show what is in them', () => {
    const wrong = {
      DATABASE_URL_FILE: file('wrong-database', 'mysql://hidden'),
      SECRET_KEY_FILE: file('wrong-key', 'hidden'),
      SECRET_KEY_PREVIOUS_FILE: file('wrong-keys', 'hidden,hidden'),
      SMTP_URL_FILE: file('wrong-mail', 'http://hidden'),
      STRIPE_WEBHOOK_SECRET_FILE: file('wrong-webhook', 'hidden'),
    };
    const problems = problemsOf(wrong);
    for (const name of Object.keys(wrong)) assert.ok(problems.includes(`${name.slice(0, -5)}: `), name);
    assert.ok(!problems.includes('hidden'), problems);
  });

  it('are for secrets only', () => {
    assert.equal(readConfig({ PORT_FILE: file('port', '1234') }).PORT, 4000);
  });
});

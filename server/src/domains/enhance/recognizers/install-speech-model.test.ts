import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { after, before, beforeEach, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { createRunner, isSpeechEngineInstalled } from '../../../media/index.ts';
import { readFetchAllow } from '../../../platform/fetch/fetch-allow.ts';
import { createGuardedFetch } from '../../../platform/fetch/guarded-fetch.ts';
import { runAdminCommand } from '../../accounts/index.ts';
import { type AssetsTestPlatform, createAssetsTestPlatform } from '../../assets/testing.ts';
import { installSpeechModelCommand } from './install-speech-model.command.ts';
import { installSpeechModel } from './install-speech-model.ts';
import { installedSpeechModel, type PublishedModel, speechModelFolder } from './speech-models.ts';

const TEST_MODEL = fileURLToPath(new URL('../../../../../../shared/speech/for-tests-ggml-tiny.bin', import.meta.url));
const skip = isSpeechEngineInstalled() ? false : 'whisper.cpp is not installed: npm install --include=optional';
const noModel = skip || (existsSync(TEST_MODEL) ? false : '../shared/speech is not present');

/** No model, though it begins like one. */
const BYTES = Buffer.concat([Buffer.from([0x6c, 0x6d, 0x67, 0x67, 0x99, 0xca, 0, 0]), Buffer.alloc(100_000, 7)]);
const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');

/** Serves models; what it serves is named by the path. */
function serveModels(model: Buffer): Server {
  return createServer(({ url }, response) => {
    if (url === '/model.bin') response.end(model);
    else if (url === '/other.bin') response.end(Buffer.alloc(BYTES.length, 8));
    else if (url === '/longer.bin') response.end(Buffer.concat([BYTES, BYTES]));
    else if (url === '/unsized.bin') {
      response.write(BYTES);
      response.end(BYTES);
    } else if (url === '/interrupted.bin') {
      response.setHeader('content-length', BYTES.length);
      response.write(BYTES.subarray(0, 50_000), () => response.destroy());
    } else if (url === '/endless.bin') response.write(BYTES);
    else if (url === '/bytes.bin') response.end(BYTES);
    else response.writeHead(404).end();
  });
}

describe('install-speech-model', { skip }, () => {
  let platform: AssetsTestPlatform;
  let server: Server;
  let folder = '';
  let published: Record<string, PublishedModel> = {};
  before(async () => {
    const model = existsSync(TEST_MODEL) ? await readFile(TEST_MODEL) : BYTES;
    server = serveModels(model).listen(0, '127.0.0.1');
    await new Promise((resolve) => server.once('listening', resolve));
    const { port } = server.address() as AddressInfo;
    platform = await createAssetsTestPlatform({ FETCH_ALLOW: `127.0.0.1:${port}`, SANDBOX: 'prefer' });
    folder = speechModelFolder(platform.config.DATA_DIR);
    const at = (name: string, bytes = BYTES) => ({
      url: `http://127.0.0.1:${port}/${name}.bin`,
      ...{ sizeBytes: bytes.length, sha256: sha256(bytes) },
    });
    const names = ['other', 'longer', 'unsized', 'interrupted', 'endless', 'bytes', 'missing'];
    published = { ...Object.fromEntries(names.map((name) => [name, at(name)])), model: at('model', model) };
  });
  after(async () => {
    server.close();
    await platform.close();
  });
  beforeEach(async () => {
    await rm(folder, { recursive: true, force: true });
    await mkdir(folder, { recursive: true });
    await writeFile(join(folder, 'ggml-earlier.bin'), 'earlier');
  });

  const install = (...args: string[]) =>
    runAdminCommand(['install-speech-model', ...args], platform, installSpeechModelCommand(published));
  const file = (name: string) => join(platform.config.DATA_DIR, name);

  const refused: [what: string, source: string, bytes: Buffer | null, message: RegExp][] = [
    ['another file of the same size', 'other', null, /sent another file: 100008 bytes with the SHA-256/],
    ['a longer file', 'longer', null, /has another file: 200016 bytes instead of 100008/],
    ['a longer file of unknown size', 'unsized', null, /sent another file: 200016 bytes/],
    ['a download that is interrupted', 'interrupted', null, /could not be downloaded: .* broke off the download/],
    ['a model that is not there', 'missing', null, /status 404.*http:.*missing\.bin elsewhere/s],
    ['a model that the engine does not load', 'bytes', null, /whisper\.cpp does not load it/],
    ['a file that is not there', 'nowhere.bin', null, /There is no file at/],
    ['a file of another kind', 'model.gguf', Buffer.from('GGUF'), /is named \*\.bin/],
    ['a file that is no model', 'text.bin', Buffer.from('no model'), /not a model of whisper\.cpp/],
    ['an unknown name', 'medium', null, /is named \*\.bin; models by name are other/],
  ];
  for (const [what, source, bytes, message] of refused)
    it(`refuses ${what}, and leaves the installed model alone`, async () => {
      if (bytes !== null) await writeFile(file(source), bytes);
      const { exitCode, stderr } = await install(/\.\w+$/.test(source) ? file(source) : source);
      assert.equal(exitCode, 1);
      assert.match(stderr, message);
      assert.deepEqual(await readdir(folder), ['ggml-earlier.bin']);
      assert.equal(await readFile(join(folder, 'ggml-earlier.bin'), 'utf8'), 'earlier');
    });

  it('needs one argument', async () => {
    assert.equal((await install()).exitCode, 2);
    assert.equal((await install('model', 'bytes')).exitCode, 2);
    assert.deepEqual(await readdir(folder), ['ggml-earlier.bin']);
  });

  it('leaves nothing behind when it is stopped', async () => {
    const { model: _, ...urls } = published;
    const stopping = new AbortController();
    server.once('request', () => stopping.abort());
    const { fetch, close } = createGuardedFetch({ allow: readFetchAllow(platform.config.FETCH_ALLOW) });
    const tools = { dataDir: platform.config.DATA_DIR, runner: await createRunner(), fetch, published: urls };
    await assert.rejects(installSpeechModel({ ...tools, signal: stopping.signal }, 'endless'), { name: 'AbortError' });
    await close();
    assert.deepEqual(await readdir(folder), ['ggml-earlier.bin']);
  });

  it('downloads a model, which takes the place of the earlier one', { skip: noModel }, async () => {
    const { exitCode, stdout } = await install('model');
    assert.equal(exitCode, 0);
    assert.deepEqual(JSON.parse(stdout), {
      ...{ model: 'model', path: join(folder, 'model.bin'), sizeBytes: 575_451 },
      sha256: sha256(await readFile(TEST_MODEL)),
    });
    assert.deepEqual(await readdir(folder), ['model.bin']);
    assert.equal(installedSpeechModel(platform.config.DATA_DIR), join(folder, 'model.bin'));
    // Readable by the users of the sandbox.
    assert.equal((await stat(join(folder, 'model.bin'))).mode & 0o777, 0o644);
    assert.equal((await stat(folder)).mode & 0o777, 0o755);
  });

  it('installs a file', { skip: noModel }, async () => {
    const { stdout } = await install(TEST_MODEL);
    assert.equal(JSON.parse(stdout).model, 'for-tests-ggml-tiny');
    assert.deepEqual(await readdir(folder), ['for-tests-ggml-tiny.bin']);
    assert.ok(existsSync(TEST_MODEL));
  });
});

import assert from 'node:assert/strict';
import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { after, before, describe, it } from 'node:test';
import { SMTPServer } from 'smtp-server';
import { AppError } from '../../kernel/errors.ts';
import { folderTransport } from './folder-transport.ts';
import type { MailMessage } from './mail-transport.ts';
import { smtpTransport } from './smtp-transport.ts';

const MESSAGE: MailMessage = {
  to: 'anna@example.com',
  subject: 'Grüße: reset your password',
  text: 'Open https://video.example.com/reset-password#token=abc',
  html: '<p>Open <a href="https://video.example.com/reset-password#token=abc">this page</a></p>',
};
const FROM = 'Example <no-reply@video.example.com>';

interface Received {
  readonly from: string;
  readonly to: readonly string[];
  readonly user: string | null;
  readonly text: string;
}

describe('a mail server', () => {
  const received: Received[] = [];
  let refusal: { readonly responseCode: number } | null = null;
  let server: SMTPServer;
  let url: string;
  before(async () => {
    server = new SMTPServer({
      authOptional: true,
      hideSTARTTLS: true,
      allowInsecureAuth: true,
      onAuth: ({ username, password }, _session, done) =>
        password === 'pass word' ? done(null, { user: username }) : done(new Error('Wrong password')),
      onRcptTo: (_address, _session, done) => done(refusal && Object.assign(new Error('No'), refusal)),
      onData(stream, { envelope, user }, done) {
        void text(stream).then((content) => {
          const from = envelope.mailFrom ? envelope.mailFrom.address : '';
          const to = envelope.rcptTo.map(({ address }) => address);
          received.push({ from, to, user: user ? String(user) : null, text: content });
          done();
        });
      },
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    url = `127.0.0.1:${(server.server.address() as AddressInfo).port}`;
  });
  after(() => new Promise<void>((resolve) => server.close(resolve)));

  async function deliver(message: MailMessage, credentials = ''): Promise<void> {
    const transport = smtpTransport(`smtp://${credentials}${url}`, FROM);
    await transport.deliver('019a0000-0000-7000-8000-000000000001', message);
    transport.close();
  }

  it('gets a message for its recipient, as text and as HTML', async () => {
    await deliver(MESSAGE, 'reelgraph:pass%20word@');
    const last = received.at(-1);
    assert.deepEqual(
      [last?.from, last?.to, last?.user],
      ['no-reply@video.example.com', ['anna@example.com'], 'reelgraph'],
    );
    assert.match(last?.text ?? '', /^From: Example <no-reply@video\.example\.com>\r?$/m);
    assert.match(last?.text ?? '', /^Subject: =\?UTF-8\?/m);
    assert.match(last?.text ?? '', /^Message-ID: <019a0000-0000-7000-8000-000000000001@video\.example\.com>/m);
    assert.match(last?.text ?? '', /^Auto-Submitted: auto-generated/m);
    assert.match(last?.text ?? '', /^Content-Type: text\/plain; charset=utf-8/m);
    assert.match(last?.text ?? '', /^Content-Type: text\/html; charset=utf-8/m);
  });

  it('gets the name of the server as the sender, which no name turns into something else', async () => {
    await deliver({ ...MESSAGE, fromName: 'Harbour, TV' });
    assert.match(received.at(-1)?.text ?? '', /^From: "Harbour, TV" <no-reply@video\.example\.com>\r?$/m);
    await deliver({ ...MESSAGE, fromName: 'x\r\nBcc: eve@example.com' });
    const last = received.at(-1);
    assert.equal(last?.from, 'no-reply@video.example.com');
    assert.doesNotMatch(last?.text ?? '', /^Bcc:/im);
  });

  it('gets the address at which a recipient unsubscribes by one click', async () => {
    const unsubscribeUrl = 'https://video.example.com/api/notifications/unsubscribe?token=abc';
    await deliver({ ...MESSAGE, unsubscribeUrl });
    const content = (received.at(-1)?.text ?? '').replace(/\r?\n[ \t]+/g, ' ');
    assert.match(
      content,
      /^List-Unsubscribe: <https:\/\/video\.example\.com\/api\/notifications\/unsubscribe\?token=abc>/m,
    );
    assert.match(content, /^List-Unsubscribe-Post: List-Unsubscribe=One-Click/m);
    await deliver(MESSAGE);
    assert.doesNotMatch(received.at(-1)?.text ?? '', /^List-Unsubscribe/m);
  });

  const hostile: readonly (readonly [name: string, message: MailMessage])[] = [
    ['a subject of several lines', { ...MESSAGE, subject: 'Hello\r\nBcc: eve@example.com\r\n\r\nBody' }],
    ['a recipient of several lines', { ...MESSAGE, to: 'anna@example.com\r\nBcc: eve@example.com' }],
    ['a list as recipient', { ...MESSAGE, to: 'anna@example.com, eve@example.com' }],
    ['a name and an address as recipient', { ...MESSAGE, to: 'x <eve@example.com>, anna@example.com' }],
  ];
  for (const [name, message] of hostile) {
    it(`gets nothing for others from ${name}`, async () => {
      received.length = 0;
      await deliver(message).catch(() => {});
      for (const { to, text: content } of received) {
        assert.equal(to.length, 1);
        assert.doesNotMatch(content, /^Bcc:/im);
      }
      assert.equal(
        received.some(({ to }) => to.includes('eve@example.com')),
        false,
      );
    });
  }

  it('may refuse a recipient for good, or for now', async () => {
    refusal = { responseCode: 550 };
    await assert.rejects(deliver(MESSAGE), (error) => error instanceof AppError && error.code === 'INVALID_INPUT');
    refusal = { responseCode: 451 };
    await assert.rejects(deliver(MESSAGE), (error) => !(error instanceof AppError));
    refusal = null;
  });

  it('is asked again after it refused the sign-in or cannot be reached', async () => {
    await assert.rejects(deliver(MESSAGE, 'reelgraph:wrong@'), (error) => !(error instanceof AppError));
    const away = smtpTransport('smtp://127.0.0.1:9', FROM);
    await assert.rejects(away.deliver('x', MESSAGE), (error) => !(error instanceof AppError));
  });
});

describe('the mail folder', () => {
  let folder: string;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'reelgraph-mail-'));
  });
  after(() => rm(folder, { recursive: true }));

  it('has a file for each message, which others cannot read, and keeps the newest', async () => {
    const transport = folderTransport(join(folder, 'mail'), FROM, 2);
    for (const id of ['1', '2', '3']) await transport.deliver(id, { ...MESSAGE, subject: `Message ${id}` });
    assert.deepEqual(await readdir(join(folder, 'mail')), ['2.eml', '3.eml']);
    const path = join(folder, 'mail', '3.eml');
    assert.equal((await stat(path)).mode & 0o777, 0o600);
    assert.equal((await stat(join(folder, 'mail'))).mode & 0o777, 0o700);
    const content = await readFile(path, 'utf8');
    assert.match(content, /^To: anna@example\.com\r$/m);
    assert.match(content, /^Subject: Message 3\r$/m);
    assert.match(content, /https:\/\/video\.example\.com\/reset-password#token=3Dabc/);
  });
});

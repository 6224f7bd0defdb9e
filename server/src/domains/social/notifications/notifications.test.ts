import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { appendEvent } from '../../../platform/events/event-log.store.ts';
import { mailHandler } from '../../../platform/mail/mail.ts';
import type { MailMessage } from '../../../platform/mail/mail-transport.ts';
import { addToken } from '../../../testing/seed-accounts.ts';
import { until } from '../../../testing/until.ts';
import { serveRoutes } from '../../accounts/testing.ts';
import { openTestCatalog, type Person, type TestCatalog, uuidOf } from '../../catalog/testing.ts';
import { comment } from '../testing.ts';
import { mailNotifications } from './mail-notifications.ts';
import { purgeNotifications } from './notify.store.ts';
import { unsubscribeRoutes } from './unsubscribe.routes.ts';
import { unsubscribeToken } from './unsubscribe.ts';

const LIST =
  '{ me { unreadNotificationCount } notifications { totalCount edges { node { id kind isRead content { id } ' +
  'comment { body author { username } } } } } }';
const READ = 'mutation ($ids: [DID!]) { markNotificationsRead(ids: $ids) { ok } }';
const CHOOSE =
  'mutation ($input: UpdateNotificationSettingsInput!) { updateNotificationSettings(input: $input) ' + '{ ok } }';
const SETTINGS = '{ me { settings { emailNotifications } notificationSettings { kind inPage byMail } } }';
const FOLLOW = 'mutation ($channel: DID!) { followChannel(channel: $channel) { ok } }';
const HEART = 'mutation ($id: DID!) { heartComment(id: $id) { comment { id } } }';
const HIDE = 'mutation ($id: DID!) { updateContent(id: $id, input: { visibility: PRIVATE }) { id } }';
const SMTP = { MAIL: 'smtp', SMTP_URL: 'smtp://127.0.0.1:9' };

interface Shown {
  readonly id: string;
  readonly kind: string;
  readonly isRead: boolean;
  readonly content: { readonly id: string };
  readonly comment: { readonly body: string; readonly author: { readonly username: string } } | null;
}

describe('notifications', () => {
  let api: TestCatalog;
  let anna: Person;
  let bert: Person;
  let people = 0;
  const sent: MailMessage[] = [];
  before(async () => {
    api = await openTestCatalog({ jobs: true, env: SMTP });
    anna = await api.person('anna');
    await api.platform.events.start();
    const transport = { deliver: async (_id: string, mail: MailMessage) => void sent.push(mail), close: () => {} };
    await api.platform.jobs.work(mailHandler(api.platform, async () => transport));
  });
  after(async () => {
    await api.platform.events.stop();
    await api.close();
  });
  beforeEach(async () => {
    people += 1;
    bert = await api.person(`bert_${people}`);
  });

  const listOf = async (who: Person) => {
    const { me, notifications } = await api.ok(who, LIST);
    const shown: Shown[] = notifications.edges.map(({ node }: { node: Shown }) => node);
    assert.equal(notifications.totalCount, shown.length);
    return { shown, kinds: shown.map(({ kind }) => kind), unread: me.unreadNotificationCount as number };
  };
  /** Writes an event, and waits until it and all before it are consumed. */
  const consumed = async (type?: 'content.published' | 'asset.ready' | 'asset.failed', did?: string): Promise<void> => {
    if (type && did) {
      await api.platform.db.transaction((tx) =>
        appendEvent(tx, { type, channelId: anna.channelId, subjectId: uuidOf(did) }),
      );
    }
    const { last } = await api.row<{ last: number }>('select coalesce(max(id), 0) as last from events');
    const isDone = async () => {
      const rows = await api.rows(
        "select 1 from event_cursors where consumer = 'social.notifications' and event_id >= $1",
        [last],
      );
      return rows.length > 0;
    };
    await until(isDone);
  };
  const choose = (who: Person, kind: string, choice: object) => api.ok(who, CHOOSE, { input: { kind, ...choice } });
  /** The messages that are sent now. */
  const mails = async (): Promise<MailMessage[]> => {
    while ((await mailNotifications(api.platform, 20)) > 0);
    const pending = `select 1 from pgboss.job where name = 'send-mail' and state in ('created', 'retry', 'active')`;
    await until(async () => (await api.rows(pending)).length === 0);
    return sent.splice(0);
  };

  it('tell of a reply, once it is published, and of a heart', async () => {
    const video = await api.content(anna, { status: 'PUBLISHED' });
    const own = await comment(api, bert, video, 'How deep is it?');
    await comment(api, bert, video, 'To myself', own);
    await comment(api, anna, video, 'Two metres.', own);
    await api.ok(anna, HEART, { id: own });
    await consumed();
    const { shown, unread } = await listOf(bert);
    assert.equal(unread, 2);
    assert.deepEqual(
      shown.map(({ kind, isRead, content, comment: about }) => [kind, isRead, content.id, about?.body]).sort(),
      [
        ['COMMENT_HEART', false, video, 'How deep is it?'],
        ['COMMENT_REPLY', false, video, 'Two metres.'],
      ],
    );
    assert.deepEqual((await listOf(anna)).kinds, []);
  });

  it('tell of a reply that was held only when it is approved', async () => {
    const video = await api.content(anna, { status: 'PUBLISHED' });
    const own = await comment(api, anna, video);
    const hold =
      'mutation ($id: DID!) { updateCommentSettings(id: $id, input: { mode: HOLD_ALL }) { content { __typename } } }';
    await api.ok(anna, hold, { id: video });
    const reply = await comment(api, bert, video, 'Held', own);
    await consumed();
    assert.deepEqual((await listOf(anna)).kinds, []);
    await api.ok(anna, 'mutation ($ids: [DID!]!) { approveComments(ids: $ids) { results { ok } } }', { ids: [reply] });
    await consumed();
    const { shown } = await listOf(anna);
    assert.deepEqual(
      shown.map(({ kind, comment: about }) => [kind, about?.author.username]),
      [['COMMENT_REPLY', bert.username]],
    );
    await api.ok(anna, READ);
  });

  it('tell followers of a new video, once, in one statement, and nobody of a private one', async () => {
    await api.ok(bert, FOLLOW, { channel: anna.channel });
    const [video, hidden] = [
      await api.content(anna, { status: 'PUBLISHED' }),
      await api.content(anna, { status: 'PUBLISHED', visibility: 'PRIVATE' }),
    ];
    await consumed('content.published', video);
    await consumed('content.published', video);
    await consumed('content.published', hidden);
    const { shown } = await listOf(bert);
    assert.deepEqual(
      shown.map(({ kind, content }) => [kind, content.id]),
      [['NEW_VIDEO', video]],
    );
  });

  it('are gone while the account may not see what they are about', async () => {
    await api.ok(bert, FOLLOW, { channel: anna.channel });
    const video = await api.content(anna, { status: 'PUBLISHED' });
    await consumed('content.published', video);
    const [notification] = (await listOf(bert)).shown;
    assert.ok(notification);
    await api.ok(anna, HIDE, { id: video });
    assert.deepEqual([(await listOf(bert)).kinds, (await listOf(bert)).unread], [[], 0]);
    assert.equal((await api.ok(bert, `{ node(id: "${notification.id}") { id } }`)).node, null);
  });

  it('tell the owner that a video was processed or could not be', async () => {
    const video = await api.content(anna);
    await api.ok(anna, READ);
    await consumed('asset.failed', video);
    await consumed('asset.failed', video);
    assert.deepEqual((await listOf(anna)).shown.map(({ kind, content }) => [kind, content.id]).slice(0, 1), [
      ['PROCESSING_FAILED', video],
    ]);
    await consumed('asset.ready', video);
    const now = (await listOf(anna)).shown.filter(({ content }) => content.id === video);
    assert.deepEqual(
      now.map(({ kind }) => kind),
      ['PROCESSING_DONE'],
    );
  });

  it('are marked as read one by one or all at once, by their account only', async () => {
    await api.ok(bert, FOLLOW, { channel: anna.channel });
    for (let count = 0; count < 3; count += 1)
      await consumed('content.published', await api.content(anna, { status: 'PUBLISHED' }));
    const { shown } = await listOf(bert);
    const ids = [shown[0]?.id ?? ''];
    await api.ok(anna, READ, { ids });
    assert.equal((await listOf(bert)).unread, 3);
    assert.deepEqual((await api.ok(bert, READ, { ids })).markNotificationsRead, { ok: true });
    assert.equal((await listOf(bert)).unread, 2);
    await api.ok(bert, READ);
    assert.equal((await listOf(bert)).unread, 0);
    assert.ok((await listOf(bert)).shown.every(({ isRead }) => isRead));
    const many = Array.from({ length: 101 }, () => ids[0]);
    assert.equal((await api.refused(bert, READ, { ids: many })).code, 'INVALID_INPUT');
    assert.equal((await api.refused(bert, READ, { ids: [anna.channel] })).field, 'ids.0');
  });

  it('of processing are for members, and for tokens of the channel', async () => {
    const video = await api.content(anna, { status: 'PUBLISHED' });
    await consumed('asset.ready', video);
    const other = await api.person('carla');
    const withToken = async (channelId: string): Promise<Person> => {
      const { credential } = await addToken(api, anna.accountId, ['account:read', 'content:read'], [channelId]);
      return { ...anna, credential };
    };
    assert.ok((await listOf(await withToken(anna.channelId))).shown.some(({ content }) => content.id === video));
    assert.ok(!(await listOf(await withToken(other.channelId))).kinds.includes('PROCESSING_DONE'));
    await api.ok(anna, READ);
  });

  it('follow the settings of the account', async () => {
    await api.ok(bert, FOLLOW, { channel: anna.channel });
    await choose(bert, 'NEW_VIDEO', { inPage: false });
    const { settings, notificationSettings } = (await api.ok(bert, SETTINGS)).me;
    assert.equal(settings.emailNotifications, false);
    assert.deepEqual(notificationSettings, [
      { kind: 'COMMENT_REPLY', inPage: true, byMail: false },
      { kind: 'COMMENT_HEART', inPage: true, byMail: false },
      { kind: 'NEW_VIDEO', inPage: false, byMail: false },
      { kind: 'PROCESSING_DONE', inPage: true, byMail: false },
      { kind: 'PROCESSING_FAILED', inPage: true, byMail: false },
      { kind: 'REPORT_REVIEWED', inPage: true, byMail: false },
    ]);
    const video = await api.content(anna, { status: 'PUBLISHED' });
    await consumed('content.published', video);
    const rows = await api.rows('select 1 from notifications where account_id = $1', [bert.accountId]);
    assert.equal(rows.length, 0);
    await choose(bert, 'NEW_VIDEO', { inPage: true });
    await consumed('content.published', video);
    assert.deepEqual((await listOf(bert)).kinds, ['NEW_VIDEO']);
  });

  it('are mailed as chosen, with a link that ends that without signing in', async () => {
    await mails();
    await api.ok(bert, FOLLOW, { channel: anna.channel });
    await choose(bert, 'NEW_VIDEO', { inPage: false, byMail: true });
    const title = 'Deep\r\nBcc: eve@example.com <b>water</b>';
    const video = await api.content(anna, { status: 'PUBLISHED', title, shortCode: 'deep-water1' });
    await consumed('content.published', video);
    assert.deepEqual((await listOf(bert)).kinds, []);
    const [mail, ...more] = await mails();
    assert.ok(mail && more.length === 0);
    assert.deepEqual(mail.subject, 'anna: Deep Bcc: eve@example.com <b>water</b>');
    assert.match(mail.html, /&lt;b&gt;water/);
    assert.match(mail.text, /\/w\/deep-water1\n/);
    assert.match(mail.text, /You get this message because you follow anna\. Unsubscribe:\n.*\/unsubscribe#token=/);
    assert.deepEqual(await mails(), []);

    const server = await serveRoutes(unsubscribeRoutes(api.platform));
    const url = new URL(mail.unsubscribeUrl ?? '');
    const address = `${server.address}${url.pathname}${url.search}`;
    const looked = await fetch(address, { redirect: 'manual' });
    assert.deepEqual([looked.status, new URL(looked.headers.get('location') ?? '').pathname], [302, '/unsubscribe']);
    const forged = await fetch(`${address.slice(0, -4)}AAAA`, { method: 'POST' });
    assert.equal(forged.status, 400);
    const own = { accountId: anna.accountId, kind: 'NEW_VIDEO' } as const;
    const token = unsubscribeToken(api.platform.secrets, own).replace(anna.accountId, bert.accountId);
    assert.equal((await fetch(`${server.address}${url.pathname}?token=${token}`, { method: 'POST' })).status, 400);
    const settings = async () => (await api.ok(bert, SETTINGS)).me.settings.emailNotifications;
    assert.equal(await settings(), true);
    const form = { 'content-type': 'application/x-www-form-urlencoded' };
    const ended = await fetch(address, { method: 'POST', headers: form, body: 'List-Unsubscribe=One-Click' });
    assert.deepEqual([ended.status, await ended.json()], [200, { ok: true, kind: 'NEW_VIDEO' }]);
    assert.equal(await settings(), false);
    await server.close();
  });

  it('are mailed with a link to the reply', async () => {
    await mails();
    await choose(bert, 'COMMENT_REPLY', { byMail: true });
    const video = await api.content(anna, { status: 'PUBLISHED', shortCode: 'deep-water2' });
    const reply = await comment(api, anna, video, 'Two metres.', await comment(api, bert, video, 'How deep is it?'));
    await consumed();
    const [mail] = await mails();
    assert.match(mail?.text ?? '', new RegExp(`/w/deep-water2\\?comment=${uuidOf(reply)}\n`));
  });

  it('are not mailed once the video is private or the account wants no more messages', async () => {
    await mails();
    await api.ok(bert, FOLLOW, { channel: anna.channel });
    await choose(bert, 'NEW_VIDEO', { byMail: true });
    const [first, second] = [
      await api.content(anna, { status: 'PUBLISHED' }),
      await api.content(anna, { status: 'PUBLISHED' }),
    ];
    await consumed('content.published', first);
    await api.ok(anna, HIDE, { id: first });
    assert.deepEqual(await mails(), []);
    await consumed('content.published', second);
    await choose(bert, 'NEW_VIDEO', { byMail: false });
    assert.deepEqual(await mails(), []);
  });

  it('are not mailed to an account that is suspended', async () => {
    await mails();
    await api.ok(bert, FOLLOW, { channel: anna.channel });
    await choose(bert, 'NEW_VIDEO', { byMail: true });
    const suspend = (at: string, reason: string) =>
      api.rows(`update accounts set suspended_at = ${at}, suspension_reason = ${reason} where id = $1`, [
        bert.accountId,
      ]);
    await consumed('content.published', await api.content(anna, { status: 'PUBLISHED' }));
    await suspend('now()', `'Spam.'`);
    assert.deepEqual(await mails(), []);
    await suspend('null', 'null');
    await consumed('content.published', await api.content(anna, { status: 'PUBLISHED' }));
    assert.equal((await mails()).length, 1);
  });

  it('are no more than 500 unread ones, and are deleted after 90 days', async () => {
    await api.ok(bert, FOLLOW, { channel: anna.channel });
    await api.rows(
      `with made as (
         insert into contents (id, kind, channel_id, title, status, visibility, published_at, created_at,
           updated_at)
         select uuidv7(), 'FEATURE', $1, 'One of many', 'PUBLISHED', 'PUBLIC', now(), now(), now()
           from generate_series(1, 500)
         returning id)
       insert into notifications (id, account_id, kind, content_id, in_page, created_at)
       select uuidv7(), $2, 'NEW_VIDEO', id, true, $3 from made`,
      [anna.channelId, bert.accountId, new Date(api.clock.now() - 89 * 86_400_000).toISOString()],
    );
    const video = await api.content(anna, { status: 'PUBLISHED' });
    await consumed('content.published', video);
    const count = async () => (await listOf2()).totalCount;
    const listOf2 = async () => (await api.ok(bert, '{ notifications(first: 1) { totalCount } }')).notifications;
    assert.equal(await count(), 500);
    await purgeNotifications(api.platform.db, api.clock.now(), 1_000);
    assert.equal(await count(), 500);
    assert.ok((await purgeNotifications(api.platform.db, api.clock.now() + 2 * 86_400_000, 1_000)) >= 500);
    assert.equal(await count(), 0);
  });

  it('are gone with their comment and their content', async () => {
    const video = await api.content(anna, { status: 'PUBLISHED' });
    const own = await comment(api, bert, video);
    const reply = await comment(api, anna, video, 'A reply', own);
    await consumed();
    assert.deepEqual((await listOf(bert)).kinds, ['COMMENT_REPLY']);
    await api.ok(anna, 'mutation ($id: DID!) { deleteComment(id: $id) { id } }', { id: reply });
    assert.deepEqual((await listOf(bert)).kinds, []);
  });
});

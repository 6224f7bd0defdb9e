import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { mailHandler } from '../../../platform/mail/mail.ts';
import type { MailMessage } from '../../../platform/mail/mail-transport.ts';
import { until } from '../../../testing/until.ts';
import { openTestCatalog, type Person, type TestCatalog, uuidOf } from '../../catalog/testing.ts';
import { forgetChannelInvitations } from './invitations.store.ts';

const INVITE =
  'mutation ($channel: DID!, $input: InviteChannelMemberInput!) { inviteChannelMember(id: $channel, input: ' +
  '$input) { invitation { id role email account { username } invitedBy { username } createdAt expiresAt } } }';
const WITHDRAW = 'mutation ($id: DID!) { withdrawChannelInvitation(id: $id) { withdrawn } }';
const ACCEPT =
  'mutation ($id: DID!, $token: String) { acceptChannelInvitation(id: $id, input: { token: $token }) { channel ' +
  '{ id viewerRole } } }';
const DECLINE =
  'mutation ($id: DID!, $token: String) { declineChannelInvitation(id: $id, input: { token: $token }) { declined } }';
const MINE = '{ me { channelInvitations { totalCount edges { node { id role channel { handle } } } } } }';
const BY_LINK = 'query ($token: String!) { channelInvitation(token: $token) { id role channel { handle } } }';
const PENDING =
  'query ($id: DID!) { channel(id: $id) { invitations { totalCount edges { node { email account { username } ' +
  'role } } } } }';
const NOTIFIED = '{ notifications { edges { node { kind content { id } invitation { id role } } } } }';
const UPDATE =
  'mutation ($channel: DID!, $username: String!, $role: ChannelRole!) { updateChannelMember(id: $channel, ' +
  'input: { username: $username, role: $role }) { member { role } } }';
const REMOVE =
  'mutation ($channel: DID!, $username: String!) { removeChannelMember(id: $channel, input: { username: $username }) ' +
  '{ removed } }';
const DELETE = 'mutation ($id: DID!) { deleteChannel(id: $id) { id } }';
const DAY_MS = 86_400_000;

describe('invitations to a channel', () => {
  let api: TestCatalog;
  let olga: Person;
  let maria: Person;
  let guest: Person;
  let other: Person;
  let id: string;
  let count = 0;
  const sent: MailMessage[] = [];
  before(async () => {
    api = await openTestCatalog({ jobs: true });
    await api.platform.events.start();
    const transport = { deliver: async (_id: string, mail: MailMessage) => void sent.push(mail), close: () => {} };
    await api.platform.jobs.work(mailHandler(api.platform, async () => transport));
  });
  after(async () => {
    await api.platform.events.stop();
    await api.close();
  });
  /** A channel of olga's with the manager maria; guest and other are strangers. */
  beforeEach(async () => {
    count += 1;
    [olga, maria] = [await api.person(`olga_${count}`), await api.person(`maria_${count}`)];
    [guest, other] = [await api.person(`guest_${count}`), await api.person(`other_${count}`)];
    const create =
      'mutation ($handle: String!) { createChannel(input: { name: "Hills", handle: $handle }) { channel { id } } }';
    id = (await api.ok(olga, create, { handle: `hills_${count}` })).createChannel.channel.id;
    await api.join(id, maria, 'MANAGER');
  });

  const addressOf = async ({ accountId }: Person) =>
    (await api.row<{ email: string }>('select email::text from accounts where id = $1', [accountId])).email;
  const confirm = ({ accountId }: Person) =>
    api.rows('update accounts set email_verified = true where id = $1', [accountId]);
  const invite = async (who: Person, input: Record<string, string>) =>
    (await api.ok(who, INVITE, { channel: id, input: { role: 'EDITOR', ...input } })).inviteChannelMember.invitation;
  const mailTo = async (address: string, nth = 1): Promise<MailMessage> => {
    const mails = () => sent.filter(({ to }) => to === address);
    await until(() => mails().length >= nth);
    return mails()[nth - 1] ?? assert.fail();
  };
  const tokenIn = ({ text }: MailMessage) => /\/invitations#token=([\w-]+)/.exec(text)?.[1] ?? assert.fail(text);
  const rolesOf = async () =>
    Object.fromEntries(
      (
        await api.rows<{ username: string; role: string }>(
          `select split_part(a.username::text, '_', 1) as username, m.role from channel_members m
           join accounts a on a.id = m.account_id where m.channel_id = $1`,
          [uuidOf(id)],
        )
      ).map(({ username, role }) => [username, role]),
    );
  const MEMBERS = { olga: 'OWNER', maria: 'MANAGER' };
  const mine = async (who: Person) => (await api.ok(who, MINE)).me.channelInvitations;
  const state = () => api.rows('select * from channel_invitations where channel_id = $1 order by id', [uuidOf(id)]);

  it('are for an account by its name: a message, a notification, and membership only once accepted', async () => {
    const invitation = await invite(maria, { username: `@GUEST_${count}` });
    assert.deepEqual(invitation, {
      id: invitation.id,
      role: 'EDITOR',
      email: null,
      account: { username: `guest_${count}` },
      invitedBy: { username: `maria_${count}` },
      createdAt: new Date(api.clock.now()).toISOString(),
      expiresAt: new Date(api.clock.now() + 7 * DAY_MS).toISOString(),
    });
    assert.deepEqual(await rolesOf(), MEMBERS);
    const mail = await mailTo(await addressOf(guest));
    assert.equal(mail.subject, 'You are invited to the channel Hills');
    assert.match(
      mail.text,
      new RegExp(`maria_${count} invites you to the channel Hills \\(@hills_${count}\\) as Editor`),
    );
    assert.match(
      mail.text,
      /as Editor: you may see everything in it, upload, edit and publish videos, and moderate comments\./,
    );
    const listed = { id: invitation.id, role: 'EDITOR', channel: { handle: `hills_${count}` } };
    assert.deepEqual(await mine(guest), { totalCount: 1, edges: [{ node: listed }] });
    await until(async () => (await api.ok(guest, NOTIFIED)).notifications.edges.length === 1);
    assert.deepEqual((await api.ok(guest, NOTIFIED)).notifications.edges, [
      { node: { kind: 'CHANNEL_INVITATION', content: null, invitation: { id: invitation.id, role: 'EDITOR' } } },
    ]);
    assert.deepEqual((await api.ok(guest, BY_LINK, { token: tokenIn(mail) })).channelInvitation, listed);

    const accepted = { acceptChannelInvitation: { channel: { id, viewerRole: 'EDITOR' } } };
    assert.deepEqual(await api.ok(guest, ACCEPT, { id: invitation.id }), accepted);
    assert.deepEqual(await api.ok(guest, ACCEPT, { id: invitation.id }), accepted, 'idempotent');
    assert.deepEqual(await rolesOf(), { ...MEMBERS, guest: 'EDITOR' });
    assert.deepEqual(await mine(guest), { totalCount: 0, edges: [] });
    assert.deepEqual((await api.ok(guest, NOTIFIED)).notifications.edges, []);
    assert.equal((await api.ok(guest, BY_LINK, { token: tokenIn(mail) })).channelInvitation, null);
    const events = await api.rows(
      `select type, payload from events where channel_id = $1 and type like 'member.%' order by id`,
      [uuidOf(id)],
    );
    assert.deepEqual(events, [
      { type: 'member.invited', payload: { role: 'EDITOR' } },
      { type: 'member.added', payload: { username: `guest_${count}`, role: 'EDITOR' } },
    ]);
  });

  it('are for an address in the same way with and without an account', async () => {
    const known = await invite(maria, { email: ` ${(await addressOf(guest)).toUpperCase()} ` });
    const unknown = await invite(maria, { email: `nobody_${count}@example.com` });
    const shown = { role: 'EDITOR', account: null, invitedBy: { username: `maria_${count}` } };
    const { id: _1, ...first } = known;
    const { id: _2, ...second } = unknown;
    const times = { createdAt: first.createdAt, expiresAt: first.expiresAt };
    assert.deepEqual(first, { ...shown, ...times, email: await addressOf(guest) });
    assert.deepEqual(second, { ...shown, ...times, email: `nobody_${count}@example.com` });
    const mails = [await mailTo(await addressOf(guest)), await mailTo(`nobody_${count}@example.com`)];
    const [one, two] = mails.map(({ subject, text }) => [subject, text.replace(/#token=[\w-]+/, '')]);
    assert.deepEqual(one, two);
    assert.deepEqual((await api.ok(olga, PENDING, { id })).channel.invitations, {
      totalCount: 2,
      edges: [unknown, known].map(({ email }) => ({ node: { email, account: null, role: 'EDITOR' } })),
    });
  });

  it('for an address need the link, unless the account has confirmed it', async () => {
    const { id: invitation } = await invite(maria, { email: await addressOf(guest) });
    const token = tokenIn(await mailTo(await addressOf(guest)));
    const rows = await state();
    assert.equal((await mine(guest)).totalCount, 0);
    for (const [who, given] of [
      [guest, undefined],
      [guest, 'another-token'],
      [other, token],
    ] as const) {
      const refused = await api.refused(who, ACCEPT, { id: invitation, token: given });
      assert.deepEqual([refused.code, refused.field], ['RESOURCE_NOT_FOUND', 'id']);
      assert.equal((await api.refused(who, DECLINE, { id: invitation, token: given })).code, 'RESOURCE_NOT_FOUND');
    }
    assert.equal((await api.ok(other, BY_LINK, { token })).channelInvitation, null);
    assert.deepEqual(await state(), rows);
    assert.equal((await api.ok(guest, BY_LINK, { token })).channelInvitation.id, invitation);
    await api.ok(guest, ACCEPT, { id: invitation, token });
    assert.deepEqual(await rolesOf(), { ...MEMBERS, guest: 'EDITOR' });
    await confirm(other);
    const { id: second } = await invite(maria, { email: await addressOf(other) });
    assert.equal((await mine(other)).totalCount, 1);
    assert.deepEqual(await api.ok(other, DECLINE, { id: second }), { declineChannelInvitation: { declined: true } });
    assert.equal((await api.refused(other, ACCEPT, { id: second })).code, 'INVALID_INPUT');
    assert.deepEqual(await rolesOf(), { ...MEMBERS, guest: 'EDITOR' });
  });

  it('end when they are withdrawn, replaced or expire, and when who sent them no longer manages', async () => {
    const refusal = async (invitation: string) => {
      const { code, message } = await api.refused(guest, ACCEPT, { id: invitation });
      assert.equal(code, 'INVALID_INPUT');
      assert.deepEqual(await rolesOf(), MEMBERS);
      return message;
    };
    const first = await invite(olga, { username: guest.username });
    const second = await invite(olga, { username: guest.username, role: 'VIEWER' });
    assert.equal(await refusal(first.id), 'This invitation was withdrawn.');
    assert.equal((await mine(guest)).edges[0].node.role, 'VIEWER');
    assert.deepEqual(await api.ok(maria, WITHDRAW, { id: second.id }), {
      withdrawChannelInvitation: { withdrawn: true },
    });
    assert.equal(await refusal(second.id), 'This invitation was withdrawn.');
    assert.deepEqual(await api.ok(maria, WITHDRAW, { id: second.id }), {
      withdrawChannelInvitation: { withdrawn: false },
    });
    const third = await invite(olga, { username: guest.username });
    api.clock.advance(7 * DAY_MS);
    assert.equal(await refusal(third.id), 'This invitation has expired.');
    assert.equal((await mine(guest)).totalCount, 0);
    const fourth = await invite(maria, { username: guest.username });
    await api.ok(olga, UPDATE, { channel: id, username: maria.username, role: 'EDITOR' });
    await api.ok(olga, UPDATE, { channel: id, username: maria.username, role: 'MANAGER' });
    assert.equal(await refusal(fourth.id), 'This invitation was withdrawn.');
    api.clock.advance(38 * DAY_MS);
    await forgetChannelInvitations(api.platform.db, api.clock.now());
    assert.deepEqual(await state(), []);
  });

  it('keep the role of a member, and let nobody in again who was removed', async () => {
    await confirm(guest);
    const { id: invitation } = await invite(olga, { email: await addressOf(guest), role: 'MANAGER' });
    await api.join(id, guest, 'VIEWER');
    assert.equal(
      (await api.ok(guest, ACCEPT, { id: invitation })).acceptChannelInvitation.channel.viewerRole,
      'VIEWER',
    );
    await api.ok(olga, REMOVE, { channel: id, username: guest.username });
    const refused = await api.refused(guest, ACCEPT, { id: invitation });
    assert.deepEqual([refused.code, refused.message], ['INVALID_INPUT', 'This invitation was accepted already.']);
    assert.deepEqual(await rolesOf(), MEMBERS);
  });

  it('are answered once, by whichever of two calls comes first', async () => {
    const { id: invitation } = await invite(olga, { username: guest.username });
    const [accepted, withdrawn] = await Promise.all([
      api.run(guest, ACCEPT, { id: invitation }),
      api.run(maria, WITHDRAW, { id: invitation }),
    ]);
    const isMember = 'guest' in (await rolesOf());
    assert.equal(accepted.errors.length === 0, isMember);
    assert.equal(withdrawn.data.withdrawChannelInvitation.withdrawn, !isMember);
  });

  it('disappear with the channel', async () => {
    const { id: invitation } = await invite(olga, { username: guest.username });
    await api.ok(olga, DELETE, { id });
    assert.equal((await api.refused(guest, ACCEPT, { id: invitation })).code, 'RESOURCE_NOT_FOUND');
    assert.equal((await mine(guest)).totalCount, 0);
  });

  it('are refused, and change nothing', async () => {
    await api.join(id, guest, 'EDITOR');
    const rows = await state();
    const cases: readonly [Person, Record<string, string>, string, string][] = [
      [other, { username: maria.username }, 'UNAUTHORIZED', 'id'],
      [other, { username: 'nobody' }, 'UNAUTHORIZED', 'id'],
      [other, { email: 'nobody@example.com' }, 'UNAUTHORIZED', 'id'],
      [guest, { username: other.username }, 'UNAUTHORIZED', 'id'],
      [maria, { username: other.username, role: 'OWNER' }, 'INVALID_INPUT', 'input.role'],
      [maria, { email: 'nobody@example.com', role: 'OWNER' }, 'INVALID_INPUT', 'input.role'],
      [maria, { username: 'nobody' }, 'RESOURCE_NOT_FOUND', 'input.username'],
      [maria, { username: guest.username }, 'RESOURCE_ALREADY_EXISTS', 'input.username'],
      [maria, { username: olga.username }, 'UNAUTHORIZED', 'input.username'],
      [maria, {}, 'INVALID_INPUT', 'input.username'],
      [maria, { username: other.username, email: 'nobody@example.com' }, 'INVALID_INPUT', 'input.email'],
      [maria, { email: 'not an address' }, 'INVALID_INPUT', 'input.email'],
      [maria, { email: 'a@example.com\nbcc: b@example.com' }, 'INVALID_INPUT', 'input.email'],
    ];
    for (const [who, input, code, field] of cases) {
      const refused = await api.refused(who, INVITE, { channel: id, input: { role: 'VIEWER', ...input } });
      assert.deepEqual([refused.code, refused.field], [code, field], JSON.stringify(input));
    }
    const { id: invitation } = await invite(maria, { username: other.username });
    assert.equal((await api.refused(guest, WITHDRAW, { id: invitation })).code, 'UNAUTHORIZED');
    assert.equal((await api.refused(other, WITHDRAW, { id: invitation })).code, 'RESOURCE_NOT_FOUND');
    assert.equal((await api.ok(guest, PENDING, { id })).channel.invitations, null);
    assert.equal((await state()).length, rows.length + 1);
  });

  it('are limited to three a day for one person, and fifty for a channel', async () => {
    for (let n = 0; n < 3; n += 1) await invite(maria, { email: 'often@example.com' });
    const often = await api.refused(maria, INVITE, {
      channel: id,
      input: { email: 'Often@example.com', role: 'VIEWER' },
    });
    assert.deepEqual([often.code, often.field], ['RATE_LIMIT_EXCEEDED', 'input.email']);
    for (let n = 3; n < 50; n += 1) await invite(maria, { email: `person${n}@example.com` });
    const refused = await api.refused(maria, INVITE, {
      channel: id,
      input: { username: other.username, role: 'VIEWER' },
    });
    assert.deepEqual([refused.code, refused.field], ['RATE_LIMIT_EXCEEDED', 'id']);
    api.clock.advance(DAY_MS);
    await invite(maria, { username: other.username });
  });
});

import { type Person, type TestCatalog, uuidOf } from '../domains/catalog/testing.ts';
import { formatDid } from '../gql/index.ts';
import { newId } from '../kernel/ids.ts';
import { addChannel, addComment } from './seed-catalog.ts';

/** What viewers and commenters leave behind. */
export function viewerSeeds(catalog: TestCatalog, owner: Person) {
  let commenter: Promise<Person> | undefined;
  let followable: string | undefined;
  return {
    async liked(person: Person) {
      const content = await catalog.content(owner, { status: 'PUBLISHED' });
      await catalog.rows('insert into likes (content_id, account_id, created_at) values ($1, $2, now())', [
        uuidOf(content),
        person.accountId,
      ]);
      await catalog.rows(
        'insert into watch_positions (account_id, content_id, position_ms, watched_ms, completed, updated_at) ' +
          'values ($1, $2, 5, 5, false, now())',
        [person.accountId, uuidOf(content)],
      );
      return content;
    },
    async praised(person: Person) {
      const comment = await addComment(catalog, owner, owner);
      await catalog.rows('update comments set pin = 1, hearted = true where id = $1', [uuidOf(comment)]);
      await catalog.rows('insert into comment_likes (comment_id, account_id, created_at) values ($1, $2, now())', [
        uuidOf(comment),
        person.accountId,
      ]);
      return comment;
    },
    async followable() {
      followable ??= (await catalog.person(`followable-${newId().slice(-12)}`)).channel;
      return followable;
    },
    async followed(person: Person) {
      const channel = await addChannel(catalog, owner);
      await catalog.rows('insert into follows (channel_id, account_id, created_at) values ($1, $2, now())', [
        uuidOf(channel),
        person.accountId,
      ]);
      return channel;
    },
    commenter() {
      commenter ??= catalog.person(`commenter-${newId().slice(-12)}`);
      return commenter;
    },
    comment: (author = owner) => addComment(catalog, owner, author),
    async heldComment(author: Person) {
      const comment = await addComment(catalog, owner, author);
      await catalog.rows(`update comments set status = 'HELD', held_for = 'LINK' where id = $1`, [uuidOf(comment)]);
      return comment;
    },
    async inWatchLater({ accountId }: Person) {
      const content = await catalog.content(owner, { status: 'PUBLISHED' });
      await catalog.rows('insert into watch_later (content_id, account_id, created_at) values ($1, $2, now())', [
        uuidOf(content),
        accountId,
      ]);
      return content;
    },
    async notified({ accountId }: Person) {
      const content = await catalog.content(owner, { status: 'PUBLISHED' });
      await catalog.rows(
        `insert into notifications (id, account_id, kind, content_id, in_page, created_at)
         values ($1, $2, 'NEW_VIDEO', $3, true, now())`,
        [newId(), accountId, uuidOf(content)],
      );
    },
  };
}

/** Reports on contents of the owner. */
export function reportSeeds(catalog: TestCatalog, owner: Person) {
  return {
    async report() {
      const id = newId();
      await catalog.rows(
        'insert into reports (id, channel_id, content_id, subject_id, account_id, reason, created_at) values ($1, ' +
          `$2, $3, $3, $4, 'SPAM', now())`,
        [id, owner.channelId, uuidOf(await catalog.content(owner, { status: 'PUBLISHED' })), owner.accountId],
      );
      return formatDid(catalog.platform.config.DID_NAMESPACE, 'report', id);
    },
    async takenDown() {
      const report = await this.report();
      const now = new Date(catalog.clock.now()).toISOString();
      await catalog.rows(
        `with closed as (update reports set status = 'RESOLVED', resolved_at = $2 where id = $1 returning content_id)
         update contents c set taken_down_at = $2, takedown_reason = 'Published spam.' from closed
         where c.id = closed.content_id`,
        [uuidOf(report), now],
      );
      return report;
    },
  };
}

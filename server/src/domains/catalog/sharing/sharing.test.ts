import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { openPlaybackFixture, type PlaybackFixture } from '../../delivery/playback/playback.fixture.ts';
import { type Person, type TestCatalog, uuidOf } from '../testing.ts';

const SHARE = `mutation ($id: DID!, $input: ShareContentInput!) {
  shareContent(id: $id, input: $input) { share { id email account { username } sharedBy { username } } content { id } }
}`;
const UNSHARE = 'mutation ($id: DID!) { unshareContent(id: $id) { id content { id } } }';
const CREATE = `mutation ($input: CreateShareLinkInput!) {
  createShareLink(input: $input) { url shareLink { id name hasPassword expiresAt maxUses usesCount isUsable } }
}`;
const DELETE = 'mutation ($id: DID!) { deleteShareLink(id: $id) { id content { id } } }';
const SHARES = `query ($id: DID!) {
  content(id: $id) {
    shares { totalCount edges { node { id email account { username } } } }
    shareLinks { totalCount edges { node { id name } } }
  }
}`;
const WATCH = `query ($id: DID!) {
  content(id: $id) {
    id title: shortCode
    assets { videos(first: 1) { edges { node { playlistUrl } } } images(first: 1) { edges { node { url } } } }
    outputAssets { video { hls dash } images { videoThumbnails { vtt } } }
  }
}`;
const SHARED = '{ me { sharedContents { totalCount edges { node { id } } } } }';
const SEARCH = 'query ($query: String!) { search(query: $query) { totalCount } }';
const LISTS = `query ($channel: DID!) {
  features { edges { node { id } } }
  feed { edges { node { id } } }
  channel(id: $channel) { contents { edges { node { id } } } }
}`;

describe('private sharing with people', () => {
  let fixture: PlaybackFixture;
  let api: TestCatalog;
  let [owner, editor, viewer, named, stranger]: Person[] = [];
  let video: string;
  const people = { get owner() { return owner as Person; } };

  before(async () => {
    fixture = await openPlaybackFixture();
    api = fixture.api;
    [owner, editor, viewer, named, stranger] = await Promise.all(
      ['owner', 'editor', 'viewer', 'named', 'stranger'].map((name) => api.person(name)),
    );
    await api.join(people.owner.channel, editor as Person, 'EDITOR');
    await api.join(people.owner.channel, viewer as Person, 'VIEWER');
  });
  beforeEach(async () => {
    api.clock.advance(120_000);
    await api.rows('delete from content_shares');
    await api.rows('delete from share_links');
    video = await fixture.video(people.owner);
  });
  after(() => fixture.close());
});

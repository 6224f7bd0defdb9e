import assert from 'node:assert/strict';
import { readFileSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { ApiClient } from './api-client.ts';
import { makeClip } from './clips.ts';
import type { Member } from './members.ts';
import type { Stage } from './stage.ts';
import { publishByProgram } from './steps.ts';

/** A title that is hard to lay out: it begins in Arabic, and has 150 letters without a space and emoji with joiners. */
export const HARD_TEXT = `فيديو ${'w'.repeat(150)}${'👩‍👩‍👧‍👦'.repeat(3)}`;

/** A channel in which every text of people is `HARD_TEXT`, and the addresses of its pages. */
export interface FilledChannel {
  readonly member: Member;
  readonly operator: Member;
  /** Addresses of pages by who looks at them. */
  readonly pages: { readonly visitor: string[]; readonly member: string[]; readonly operator: string[] };
}

const WAIT_SECONDS = 60;

/** Fills a new channel over the API: every text that a person can write there is `HARD_TEXT`, cut to its limit. */
export async function fillChannel(stage: Stage): Promise<FilledChannel> {
  const [member, operator] = await Promise.all([stage.account(), stage.operator()]);
  const api = new ApiClient(stage.baseUrl, member.key);
  const texts = { title: HARD_TEXT, summary: HARD_TEXT, shortSummary: HARD_TEXT, keywords: [cut(30)] };
  await api.data(
    `mutation ($channel: DID!, $input: UpdateChannelInput!, $profile: UpdateProfileInput!) {
      updateChannel(id: $channel, input: $input) { channel { id } }
      updateProfile(input: $profile) { profile { displayName } }
    }`,
    {
      channel: member.channelId,
      input: { ...texts, title: cut(100), name: cut(100) },
      profile: { displayName: cut(50), bio: HARD_TEXT },
    },
  );
  const video = await publishFile(stage, member);
  const failed = await failFile(api);
  const { serie, season, playlist } = await createLists(api, texts, video.id);
  await discuss(stage, api, member.channelId, video.id);
  const short = (did: string) => did.slice(did.lastIndexOf('/') + 1);
  const edit = `/studio/content/${short(video.id)}`;
  const channelPath = `/channel/${short(member.channelId)}`;
  return {
    member,
    operator,
    pages: {
      visitor: [
        ...['/', '/trending', '/browse/series', `/search?q=${encodeURIComponent(cut(20))}`, video.path],
        ...['', '?tab=series', '?tab=playlists', '?tab=about'].map((tab) => `${channelPath}${tab}`),
        ...[`/series/${short(serie)}`, `/series/season/${short(season)}`, `/playlist/${short(playlist)}`],
      ],
      member: [
        ...['/playlists', '/notifications', '/liked', '/watch-later', '/history', '/feed'],
        ...['/studio', '/studio/videos', '/studio/live', '/studio/series', '/studio/playlists', '/studio/comments'],
        ...['/studio/analytics', '/studio/channel', '/studio/trash', `/studio/playlists/${short(playlist)}`],
        ...[edit, `${edit}?tab=captions`, `${edit}?tab=chapters`, `/studio/content/${short(failed)}`],
        ...[`/studio/analytics/video/${short(video.id)}`, `/watch/${short(failed)}`],
        ...['/settings/account', '/settings/developer', '/settings/developer/webhooks', '/settings/developer/events'],
      ],
      operator: [
        ...['/admin', '/admin/accounts', '/admin/jobs', '/admin/reports', '/admin/storage', '/admin/invitations'],
        '/admin/log',
      ],
    },
  };
}

/** Its first characters, without a half of a character. */
function cut(length: number): string {
  return [...new Intl.Segmenter('en', { granularity: 'grapheme' }).segment(HARD_TEXT)]
    .reduce((sum, { segment }) => (sum.length + segment.length <= length ? sum + segment : sum), '')
    .trim();
}

/** A published video with a file name, chapters and captions. */
async function publishFile(stage: Stage, member: Member): Promise<{ id: string; path: string }> {
  const api = new ApiClient(stage.baseUrl, member.key);
  const filename = `${cut(160)}.mp4`;
  renameSync(makeClip(stage.folder, 'clip.mp4', 31, '64x36'), join(stage.folder, filename));
  const published = await publishByProgram(stage, member.key, { title: HARD_TEXT, summary: HARD_TEXT, filename });
  const chapters = [0, 10_000, 20_000].map((startMs) => ({ startMs, title: cut(100) }));
  const captions = { language: 'en', label: cut(60), text: `1\n00:00:01,000 --> 00:00:04,000\n${HARD_TEXT}\n` };
  await api.data(
    `mutation ($id: DID!, $chapters: SetContentChaptersInput!, $captions: CreateContentCaptionsInput!) {
      setContentChapters(id: $id, input: $chapters) { content { id } }
      createContentCaptions(id: $id, input: $captions) { captions { id } }
    }`,
    { id: published.id, chapters: { chapters }, captions },
  );
  return published;
}

/** A video whose processing fails: its file is a text. */
async function failFile(api: ApiClient): Promise<string> {
  const bytes = readFileSync(import.meta.filename);
  const input = { title: HARD_TEXT, filename: `${cut(160)}.mp4`, size: bytes.length };
  const { publishVideo } = await api.data(
    `mutation ($input: PublishVideoInput!) { publishVideo(input: $input) { content { id } upload { endpoint } } }`,
    { input },
  );
  const { status } = await api.send(new URL(publishVideo.upload.endpoint).pathname, { method: 'PUT', body: bytes });
  assert.equal(status, 200);
  await api.data(`mutation ($input: WaitForProcessingInput!) { waitForProcessing(input: $input) { status } }`, {
    input: { contentId: publishVideo.content.id, timeoutSeconds: WAIT_SECONDS },
  });
  return publishVideo.content.id;
}

/** A series with a season and an episode, a stream, and a playlist. */
async function createLists(
  api: ApiClient,
  texts: object,
  video: string,
): Promise<{ serie: string; season: string; playlist: string }> {
  const shown = { ...texts, visibility: 'PUBLIC' };
  const create = async (mutation: string, type: string, input: object): Promise<string> => {
    const document = `mutation ($input: ${type}!) { created: ${mutation}(input: $input) { content { id } } }`;
    return (await api.data(document, { input })).created.content.id;
  };
  const serie = await create('createSeries', 'CreateSeriesInput', shown);
  const season = await create('createSeason', 'CreateSeasonInput', { ...shown, series: serie });
  await create('createEpisode', 'CreateEpisodeInput', { ...shown, parent: season });
  await create('createStream', 'CreateStreamInput', texts);
  const filled = await api.data(
    `mutation ($input: CreatePlaylistWithItemsInput!) { createPlaylistWithItems(input: $input) { playlist { id } } }`,
    { input: { ...shown, contentIds: [video] } },
  );
  for (const id of [serie, season]) await api.data('mutation ($id: DID!) { publishContent(id: $id) { id } }', { id });
  return { serie, season, playlist: filled.createPlaylistWithItems.playlist.id };
}

/** Comments, a report, a webhook, a live input, a token, and what the library of the account lists. */
async function discuss(stage: Stage, api: ApiClient, channel: string, video: string): Promise<void> {
  await api.data(
    `mutation ($video: DID!, $text: String!, $channel: DID!, $hook: CreateWebhookInput!,
      $words: UpdateModerationInput!, $live: CreateLiveInputInput!) {
      createComment(contentId: $video, body: $text) { id }
      report(input: { target: $video, reason: SPAM, note: $text }) { report { id } }
      likeContent(id: $video) { id }
      addToWatchLater(id: $video) { content { id } }
      createWebhook(input: $hook) { webhook { id } }
      createLiveInput(input: $live) { liveInput { id } }
      updateModeration(id: $channel, input: $words) { channel { id } }
    }`,
    {
      ...{ video, text: HARD_TEXT, channel },
      hook: {
        channel,
        url: `http://127.0.0.1:${stage.silentPort}/${'h'.repeat(150)}`,
        description: cut(200),
        events: ['ALL'],
      },
      words: { blockedWords: [cut(100)] },
      live: { channel, name: cut(100) },
    },
  );
}

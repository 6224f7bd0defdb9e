import { notFound } from '@tanstack/react-router';
import { SERIES_KINDS, VIDEO_KINDS } from '../../features/studio/kinds/kind-lists.ts';
import { hasRole, type StudioContext } from '../../features/studio/studio-context.ts';
import { type ListSearch, listVariables } from '../../features/studio/table/list-search.ts';
import {
  AnalyticsChannel,
  LiveInputs,
  OpenUploads,
  StudioChannel,
  StudioComments,
  StudioContentDetails,
  StudioContents,
  StudioDashboard,
  StudioPlaylist,
  StudioPlaylists,
  StudioTrash,
  Taxonomy,
} from '../../gql/generated/operations.gen.ts';
import { api } from '../../lib/api.ts';
import { contentDid, didOf, namespace } from '../../lib/did.ts';
import { operationQuery, queryClient } from '../../lib/query.ts';
import { notFoundAsMissing } from '../root.tsx';

/** What the pages of the studio load; loaded with the first of them. */

export { loadStudioContext } from '../../features/studio/studio-context.ts';

/** Fields that only members can see are null for others, who get the not-found page. */
function orNotFound<Value>(value: Value | null | undefined): Value {
  if (value === null || value === undefined) throw notFound();
  return value;
}

export const dashboard = async ({ channel }: StudioContext) =>
  orNotFound((await api(StudioDashboard, { channel: channel.id })).channelDashboard);

export async function contents({ channel: { id } }: StudioContext, search: ListSearch) {
  const [{ channel }, { me }] = await Promise.all([
    api(StudioContents, { id, ...listVariables(search) }),
    api(OpenUploads, {}),
  ]);
  return { contents: orNotFound(channel?.contents), uploads: me.ingestions.edges.map(({ node }) => node) };
}

export async function content(path: string) {
  const id = orNotFound(contentDid(path, namespace()));
  const [found, taxonomy] = await Promise.all([notFoundAsMissing(api(StudioContentDetails, { id })), api(Taxonomy)]);
  const item = orNotFound(found.content);
  orNotFound(item.channel.viewerRole);
  return { content: item, taxonomy };
}

/** The page polls them; those who may not broadcast see why. */
export async function live({ channel, role }: StudioContext): Promise<void> {
  if (hasRole(role, 'EDITOR')) await queryClient.fetchQuery(operationQuery(LiveInputs, { channel: channel.id }));
}

export const series = async ({ channel: { id } }: StudioContext) =>
  orNotFound((await api(StudioContents, { id, kinds: SERIES_KINDS })).channel?.contents);

export const playlists = async ({ channel: { id } }: StudioContext) =>
  orNotFound((await api(StudioPlaylists, { id })).channel).playlists;

export async function playlist(shortId: string) {
  const id = orNotFound(didOf('content/playlist', shortId, namespace()));
  const item = orNotFound((await notFoundAsMissing(api(StudioPlaylist, { id }))).playlist);
  orNotFound(item.channel.viewerRole);
  const { channel: home } = await api(StudioContents, { id: item.channel.id, kinds: VIDEO_KINDS });
  return { playlist: item, contents: orNotFound(home?.contents) };
}

export const comments = async ({ channel: { id } }: StudioContext) =>
  orNotFound((await api(StudioComments, { id })).channel);

/** Days in analytics start at midnight in the channel's time zone. */
async function timeZoneOf({ channel: { id } }: StudioContext): Promise<string> {
  return orNotFound((await api(AnalyticsChannel, { channel: id })).channel).timeZone;
}

export const analytics = async (studio: StudioContext) => ({ timeZone: await timeZoneOf(studio) });

export const videoAnalytics = async (studio: StudioContext, path: string) => ({
  content: orNotFound(contentDid(path, namespace())),
  timeZone: await timeZoneOf(studio),
});

export const playlistAnalytics = async (studio: StudioContext, shortId: string) => ({
  playlist: orNotFound(didOf('content/playlist', shortId, namespace())),
  timeZone: await timeZoneOf(studio),
});

export const channel = async ({ channel: { id } }: StudioContext) =>
  orNotFound((await api(StudioChannel, { id })).channel);

export const trash = async ({ channel: { id } }: StudioContext) => ({
  trash: orNotFound((await api(StudioTrash, { id })).channel?.trash),
});

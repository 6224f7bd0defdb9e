import { type ArgBuilder, type EntityRef, type Graph, newInputFields } from '../../../gql/index.ts';
import { CONTENT_CHANGE } from '../contents/content.policy.ts';
import { DESCRIBED_FIELDS, EPISODE_FIELDS, STREAM_FIELDS } from '../contents/content-fields.ts';
import { createMiniserie, createSerie, createStream } from '../contents/create-content.ts';
import { MAX_NUMBER } from './arrange.ts';
import { createChild } from './create-child.ts';
import { moveChild } from './move-child.ts';
import { MAX_RENUMBERED, renumberChildren } from './renumber-children.ts';

interface Types {
  readonly Content: EntityRef;
}

/** Declares how series, miniseries and streams are made and put in order. */
export function declareSeriesMutations(graph: Graph, types: Types): void {
  declareRoots(graph, types);
  declareChildren(graph, types);
  declareOrdering(graph, types);
}

function declareRoots(graph: Graph, { Content }: Types): void {
  const channel = (t: ArgBuilder) =>
    t.field({ type: 'DID', description: "Identifier of a channel of your own; the account's own channel unless it says otherwise." });
  const CreateSerieInput = graph.builder.inputType('CreateSerieInput', {
    description: 'A new series or miniseries.',
    fields: (t) => newInputFields(t, DESCRIBED_FIELDS),
  });
  const CreateStreamInput = graph.builder.inputType('CreateStreamInput', {
    description: 'A new stream: the entry of a broadcast that was recorded.',
    fields: (t) => newInputFields(t, { ...DESCRIBED_FIELDS, ...STREAM_FIELDS }),
  });
  graph.mutation('createSerie', {
    access: 'content:create',
    description: 'Makes a series. It is READY at once: publishContent shows it, with those of its seasons and episodes that are published.',
    payload: Content,
    args: (t: ArgBuilder) => ({
      channel: channel(t),
      input: t.field({ type: CreateSerieInput, required: true, description: 'The series.' }),
    }),
    statement: createSerie,
  });
  graph.mutation('createMiniserie', {
    access: 'content:create',
    description: 'Makes a miniseries, which has episodes and no seasons. It is READY at once, like a series.',
    payload: Content,
    args: (t: ArgBuilder) => ({
      channel: channel(t),
      input: t.field({ type: CreateSerieInput, required: true, description: 'The miniseries.' }),
    }),
    statement: createMiniserie,
  });
  graph.mutation('createStream', {
    access: 'content:create',
    description: 'Makes the entry of a recorded broadcast. Give it its video with createContentAsset and submitContentForProcessing.',
    payload: Content,
    args: (t: ArgBuilder) => ({
      channel: channel(t),
      input: t.field({ type: CreateStreamInput, required: true, description: 'The stream.' }),
    }),
    statement: createStream,
  });
}

function declareChildren(graph: Graph, { Content }: Types): void {
  const number = `Its number as the audience reads it, 0 to ${MAX_NUMBER}; the one after the last unless it says otherwise.`;
  const CreateSeasonInput = graph.builder.inputType('CreateSeasonInput', {
    description: 'A new season.',
    fields: (t) => ({ ...newInputFields(t, DESCRIBED_FIELDS), number: t.int({ description: number }) }),
  });
  const CreateEpisodeInput = graph.builder.inputType('CreateEpisodeInput', {
    description: 'A new episode.',
    fields: (t) => ({
      ...newInputFields(t, { ...DESCRIBED_FIELDS, ...EPISODE_FIELDS }),
      number: t.int({ description: number }),
    }),
  });
  graph.mutation('createSeason', {
    access: 'content:create',
    policies: [CONTENT_CHANGE],
    description: 'Makes a season of a series of your own. It is READY at once, like a series.',
    payload: Content,
    args: (t: ArgBuilder) => ({
      serie: t.field({ type: 'DID', required: true, description: 'Identifier of the series.' }),
      input: t.field({ type: CreateSeasonInput, required: true, description: 'The season.' }),
    }),
    command: (context, { serie, input }) => createChild(context, 'SEASON', serie, 'serie', input),
  });
  graph.mutation('createEpisode', {
    access: 'content:create',
    policies: [CONTENT_CHANGE],
    description:
      'Makes the draft of an episode in a season or miniseries of your own. Give it its video with createContentAsset and submitContentForProcessing.',
    payload: Content,
    args: (t: ArgBuilder) => ({
      parent: t.field({ type: 'DID', required: true, description: 'Identifier of the season or miniseries.' }),
      input: t.field({ type: CreateEpisodeInput, required: true, description: 'The episode.' }),
    }),
    command: (context, { parent, input }) => createChild(context, 'EPISODE', parent, 'parent', input),
  });
}

const PLACE_HELP = {
  number: 'Its new number. Whatever has it moves up by one, with what follows up to the next gap.',
  position: 'Its new place in the order, from 1: the numbers that are in use are handed out anew. Beyond the last is the last.',
} as const;

function declareOrdering(graph: Graph, { Content }: Types): void {
  graph.mutation('moveSeason', {
    access: 'content:update',
    policies: [CONTENT_CHANGE],
    description:
      'Gives a season of your own another number or place, in its series or in another of the same channel; the end unless told.',
    payload: Content,
    args: (t: ArgBuilder) => ({
      id: t.field({ type: 'DID', required: true, description: 'Identifier of the season.' }),
      to: t.field({ type: 'DID', description: 'Identifier of the series to move it to; the one it is in unless it says otherwise.' }),
      number: t.int({ description: PLACE_HELP.number }),
      position: t.int({ description: PLACE_HELP.position }),
    }),
    command: (context, args) => moveChild(context, 'SEASON', args),
  });
  graph.mutation('moveEpisode', {
    access: 'content:update',
    policies: [CONTENT_CHANGE],
    description:
      'Gives an episode of your own another number or place, in its season or miniseries or in another of the same channel; the end unless told.',
    payload: Content,
    args: (t: ArgBuilder) => ({
      id: t.field({ type: 'DID', required: true, description: 'Identifier of the episode.' }),
      to: t.field({
        type: 'DID',
        description: 'Identifier of the season or miniseries to move it to; the one it is in unless it says otherwise.',
      }),
      number: t.int({ description: PLACE_HELP.number }),
      position: t.int({ description: PLACE_HELP.position }),
    }),
    command: (context, args) => moveChild(context, 'EPISODE', args),
  });
  const renumber = (t: ArgBuilder, what: string) => ({
    ids: t.field({
      type: ['DID'],
      description: `Identifiers of ${what} in the order wanted, at most ${MAX_RENUMBERED}; what is not listed keeps its number. All, in their present order, when left out.`,
    }),
    from: t.int({ description: 'The first number; 1 unless it says otherwise.' }),
  });
  graph.mutation('renumberSeasons', {
    access: 'content:update',
    policies: [CONTENT_CHANGE],
    description: 'Numbers the seasons of a series of your own one after the other, all or none.',
    payload: Content,
    args: (t: ArgBuilder) => ({
      serie: t.field({ type: 'DID', required: true, description: 'Identifier of the series.' }),
      ...renumber(t, 'seasons'),
    }),
    command: (context, { serie, ids, from }) => renumberChildren(context, 'SEASON', { parent: serie, ids, from }, 'serie'),
  });
  graph.mutation('renumberEpisodes', {
    access: 'content:update',
    policies: [CONTENT_CHANGE],
    description: 'Numbers the episodes of a season or miniseries of your own one after the other, all or none.',
    payload: Content,
    args: (t: ArgBuilder) => ({
      parent: t.field({ type: 'DID', required: true, description: 'Identifier of the season or miniseries.' }),
      ...renumber(t, 'episodes'),
    }),
    command: (context, args) => renumberChildren(context, 'EPISODE', args, 'parent'),
  });
}

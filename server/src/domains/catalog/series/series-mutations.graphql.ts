import { type ArgBuilder, type EntityRef, type Graph, type InputBuilder, newInputFields } from '../../../gql/index.ts';
import { CONTENT_CHANGE } from '../contents/content.policy.ts';
import { DESCRIBED_FIELDS, EPISODE_FIELDS, STREAM_FIELDS } from '../contents/content-fields.ts';
import { createMiniseries, createSeries, createStream } from '../contents/create-content.ts';
import { MAX_NUMBER } from './arrange.ts';
import { createChild } from './create-child.ts';
import { moveChild } from './move-child.ts';
import { MAX_RENUMBERED, renumberChildren } from './renumber-children.ts';

interface Types {
  readonly Content: EntityRef;
}

/** Declares the mutations that create and order series, miniseries and streams. */
export function declareSeriesMutations(graph: Graph, types: Types): void {
  declareRoots(graph, types);
  declareChildren(graph, types);
  declareOrdering(graph, types);
}

function declareRoots(graph: Graph, { Content }: Types): void {
  const channel = (t: InputBuilder) =>
    t.field({ type: 'DID', description: "Id of a channel of yours; default: the account's own channel." });
  const seriesInput = (name: string, what: string) =>
    graph.builder.inputType(name, {
      description: `A new ${what}.`,
      fields: (t) => ({ channel: channel(t), ...newInputFields(t, DESCRIBED_FIELDS) }),
    });
  const CreateSeriesInput = seriesInput('CreateSeriesInput', 'series');
  const CreateMiniseriesInput = seriesInput('CreateMiniseriesInput', 'miniseries');
  const CreateStreamInput = graph.builder.inputType('CreateStreamInput', {
    description: 'A new stream: a recorded broadcast.',
    fields: (t) => ({ channel: channel(t), ...newInputFields(t, { ...DESCRIBED_FIELDS, ...STREAM_FIELDS }) }),
  });
  graph.mutation('createSeries', {
    access: 'content:create',
    description:
      'Creates a series. It is READY at once: publishContent shows it with its published seasons and episodes.',
    payload: (f) => ({ content: f.read({ type: Content, description: 'The content.' }) }),
    args: (t: ArgBuilder) => ({
      input: t.field({ type: CreateSeriesInput, required: true, description: 'The series.' }),
    }),
    statement: createSeries,
  });
  graph.mutation('createMiniseries', {
    access: 'content:create',
    description: 'Creates a miniseries, which has episodes and no seasons. It is READY at once, like a series.',
    payload: (f) => ({ content: f.read({ type: Content, description: 'The content.' }) }),
    args: (t: ArgBuilder) => ({
      input: t.field({ type: CreateMiniseriesInput, required: true, description: 'The miniseries.' }),
    }),
    statement: createMiniseries,
  });
  graph.mutation('createStream', {
    access: 'content:create',
    description:
      'Creates the entry of a recorded broadcast. Add its video ' +
      'with createContentAsset and submitContentForProcessing.',
    payload: (f) => ({ content: f.read({ type: Content, description: 'The content.' }) }),
    args: (t: ArgBuilder) => ({
      input: t.field({ type: CreateStreamInput, required: true, description: 'The stream.' }),
    }),
    statement: createStream,
  });
}

function declareChildren(graph: Graph, { Content }: Types): void {
  const number = `Its number as shown to the audience, 0 to ${MAX_NUMBER}; default: after the last one.`;
  const CreateSeasonInput = graph.builder.inputType('CreateSeasonInput', {
    description: 'A new season.',
    fields: (t) => ({
      series: t.field({ type: 'DID', required: true, description: 'Id of the series.' }),
      ...newInputFields(t, DESCRIBED_FIELDS),
      number: t.int({ description: number }),
    }),
  });
  const CreateEpisodeInput = graph.builder.inputType('CreateEpisodeInput', {
    description: 'A new episode.',
    fields: (t) => ({
      parent: t.field({ type: 'DID', required: true, description: 'Id of the season or miniseries.' }),
      ...newInputFields(t, { ...DESCRIBED_FIELDS, ...EPISODE_FIELDS }),
      number: t.int({ description: number }),
    }),
  });
  graph.mutation('createSeason', {
    access: 'content:create',
    policies: [CONTENT_CHANGE],
    description: 'Creates a season of a series of yours. It is READY at once, like a series.',
    payload: (f) => ({
      content: f.read({ type: Content, description: 'The season.' }),
      parent: f.read({ type: Content, description: 'Its series.' }),
    }),
    args: (t: ArgBuilder) => ({
      input: t.field({ type: CreateSeasonInput, required: true, description: 'The season.' }),
    }),
    command: (context, { input: { series, ...input } }) =>
      createChild(context, 'SEASON', series, 'input.series', input),
  });
  graph.mutation('createEpisode', {
    access: 'content:create',
    policies: [CONTENT_CHANGE],
    description:
      'Creates the draft of an episode in a season or miniseries of yours. Add ' +
      'its video with createContentAsset and submitContentForProcessing.',
    payload: (f) => ({
      content: f.read({ type: Content, description: 'The episode.' }),
      parent: f.read({ type: Content, description: 'Its season or miniseries.' }),
    }),
    args: (t: ArgBuilder) => ({
      input: t.field({ type: CreateEpisodeInput, required: true, description: 'The episode.' }),
    }),
    command: (context, { input: { parent, ...input } }) =>
      createChild(context, 'EPISODE', parent, 'input.parent', input),
  });
}

const POSITION_HELP = {
  number: 'Its new number. The current holder of the number and the following ones move up by one, to the next gap.',
  position: 'Its new position, from 1: the numbers in use are reassigned. Positions after the end mean the last.',
} as const;

function declareOrdering(graph: Graph, { Content }: Types): void {
  const moveInput = (name: string, what: string, parent: string) =>
    graph.builder.inputType(name, {
      description: `New place of ${what}: number or position.`,
      fields: (t) => ({
        to: t.field({ type: 'DID', description: `Id of the ${parent} to move it to; default: its current one.` }),
        number: t.int({ description: POSITION_HELP.number }),
        position: t.int({ description: POSITION_HELP.position }),
      }),
    });
  const MoveSeasonInput = moveInput('MoveSeasonInput', 'a season', 'series');
  const MoveEpisodeInput = moveInput('MoveEpisodeInput', 'an episode', 'season or miniseries');
  graph.mutation('moveSeason', {
    access: 'content:update',
    policies: [CONTENT_CHANGE],
    description:
      'Moves a season of yours to another number or position, in its ' +
      'series or in another of the same channel; default: the end.',
    payload: (f) => ({ content: f.read({ type: Content, description: 'The content.' }) }),
    args: (t: ArgBuilder) => ({
      id: t.field({ type: 'DID', required: true, description: 'Id of the season.' }),
      input: t.field({ type: MoveSeasonInput, description: 'Where to; default: the end.' }),
    }),
    command: (context, { id, input }) => moveChild(context, 'SEASON', id, input ?? {}),
  });
  graph.mutation('moveEpisode', {
    access: 'content:update',
    policies: [CONTENT_CHANGE],
    description:
      'Moves an episode of yours to another number or position, in its season ' +
      'or miniseries or in another of the same channel; default: the end.',
    payload: (f) => ({ content: f.read({ type: Content, description: 'The content.' }) }),
    args: (t: ArgBuilder) => ({
      id: t.field({ type: 'DID', required: true, description: 'Id of the episode.' }),
      input: t.field({ type: MoveEpisodeInput, description: 'Where to; default: the end.' }),
    }),
    command: (context, { id, input }) => moveChild(context, 'EPISODE', id, input ?? {}),
  });
  declareRenumbering(graph, Content);
}

function declareRenumbering(graph: Graph, Content: EntityRef): void {
  const renumberInput = (name: string, what: string) =>
    graph.builder.inputType(name, {
      description: `The new numbers of ${what}.`,
      fields: (t) => ({
        ids: t.field({
          type: ['DID'],
          description:
            `Ids of ${what} in the new order, at most ${MAX_RENUMBERED}; those that are not ` +
            'listed keep their number. All, in their current order, if omitted.',
        }),
        from: t.int({ description: 'The first number; default 1.' }),
      }),
    });
  const RenumberSeasonsInput = renumberInput('RenumberSeasonsInput', 'seasons');
  const RenumberEpisodesInput = renumberInput('RenumberEpisodesInput', 'episodes');
  const help = 'The order; default: the current one, from 1.';
  graph.mutation('renumberSeasons', {
    access: 'content:update',
    policies: [CONTENT_CHANGE],
    description: 'Numbers the seasons of a series of yours consecutively, all or none.',
    payload: (f) => ({ content: f.read({ type: Content, description: 'The content.' }) }),
    args: (t: ArgBuilder) => ({
      id: t.field({ type: 'DID', required: true, description: 'Id of the series.' }),
      input: t.field({ type: RenumberSeasonsInput, description: help }),
    }),
    command: (context, { id, input }) => renumberChildren(context, 'SEASON', id, input ?? {}),
  });
  graph.mutation('renumberEpisodes', {
    access: 'content:update',
    policies: [CONTENT_CHANGE],
    description: 'Numbers the episodes of a season or miniseries of yours consecutively, all or none.',
    payload: (f) => ({ content: f.read({ type: Content, description: 'The content.' }) }),
    args: (t: ArgBuilder) => ({
      id: t.field({ type: 'DID', required: true, description: 'Id of the season or miniseries.' }),
      input: t.field({ type: RenumberEpisodesInput, description: help }),
    }),
    command: (context, { id, input }) => renumberChildren(context, 'EPISODE', id, input ?? {}),
  });
}

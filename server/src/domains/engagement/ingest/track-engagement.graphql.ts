import type { ArgBuilder, CommandContext, FieldFactory, Graph } from '../../../gql/index.ts';
import { localized } from '../../../kernel/languages/catalogs.ts';
import type { Language } from '../../../kernel/languages/languages.ts';
import { ENGAGEMENT_KINDS, type EngagementKind, MAX_RANGES } from './engagement-event.ts';
import { MAX_EVENTS, reporterOf, type TrackOutcome } from './track-engagement.ts';
import { TRAFFIC_SOURCES, type TrafficSource } from './traffic-sources.ts';

/** Declares trackEngagement, which ingests events of players and cards. Returns the type of traffic sources. */
export function declareTracking(graph: Graph): TrafficSourceType {
  const source = declareTrafficSource(graph);
  graph.mutation('trackEngagement', {
    access: 'engagement:track',
    unrecorded: true,
    description:
      'Reports playback, and the cards that a page showed, at most 100 events at a time. Each is accepted or ' +
      'refused separately, and sending one again changes nothing: sessionId and seq identify it. They appear in ' +
      'the metrics within seconds. Players without a key post the same input as JSON to /api/engagement.',
    payload: declarePayload(graph),
    args: (t: ArgBuilder) => ({
      input: t.field({ type: declareInput(graph, source), required: true, description: 'The events.' }),
    }),
    command: async (context, { input }) => payloadOf(await track(context, input.events), context),
  });
  return source;
}

function track(context: CommandContext, events: readonly unknown[]): Promise<TrackOutcome> {
  const { client, viewer, services } = context;
  return services.engagement.tracker.track(events, reporterOf(client, viewer), 'input.events');
}

/** The result of the API, in GraphQL and in JSON; with `refusedOnly`, results of accepted events are omitted. */
export function payloadOf(
  { tracked, results }: TrackOutcome,
  reader: { readonly language: Language },
  { refusedOnly = false } = {},
): Readonly<Record<string, unknown>> {
  const refused = results.reduce((count, { error }) => (error === null ? count : count + 1), 0);
  const reported = refusedOnly && refused === 0 ? [] : results.map((result, index) => ({ ...result, index }));
  return {
    tracked,
    accepted: results.length - refused,
    refused,
    results: (refusedOnly ? reported.filter(({ error }) => error !== null) : reported).map(
      ({ index, sessionId, seq, error }) => ({
        index,
        sessionId,
        seq,
        ok: error === null,
        error: error && {
          code: error.code,
          message: localized(error.text, reader.language),
          field: error.field ?? null,
          suggestedFix: localized(error.fix, reader.language),
        },
      }),
    ),
  };
}

export type TrafficSourceType = ReturnType<typeof declareTrafficSource>;

function declareTrafficSource({ builder }: Graph) {
  const values = Object.entries(TRAFFIC_SOURCES).map(([name, description]) => [name, { description }]);
  return builder.enumType('TrafficSource', {
    description: 'Where viewers find a content.',
    values: Object.fromEntries(values) as Record<TrafficSource, { description: string }>, // the same keys
  });
}

function declareInput(graph: Graph, source: TrafficSourceType) {
  const { builder } = graph;
  const kinds = Object.entries(ENGAGEMENT_KINDS).map(([kind, description]) => [kind, { description }]);
  const EngagementEventKind = builder.enumType('EngagementEventKind', {
    description: 'Events of a player, or of a page with cards.',
    values: Object.fromEntries(kinds) as Record<EngagementKind, { description: string }>, // the same keys
  });
  const EngagementRangeInput = builder.inputType('EngagementRangeInput', {
    description: 'A range of the content that was played without a jump.',
    fields: (t) => ({
      startMs: t.int({ required: true, description: 'Start, in milliseconds of the content.' }),
      endMs: t.int({ required: true, description: 'End, in milliseconds of the content.' }),
    }),
  });
  const EngagementEventInput = builder.inputType('EngagementEventInput', {
    description: 'One event of a playback, or of a page visit.',
    fields: (t) => ({
      kind: t.field({ type: EngagementEventKind, required: true, description: 'Event type.' }),
      contentId: t.field({
        type: 'DID',
        required: true,
        description: 'The content that is played, or that the card links to.',
      }),
      sessionId: t.string({
        required: true,
        description: 'UUID of the playback, created by the player; for cards: of the page visit.',
      }),
      seq: t.int({
        required: true,
        description: 'Number of the event in its session, from 0; with sessionId it identifies the event.',
      }),
      occurredAt: t.field({
        type: 'DateTime',
        required: true,
        description: "When it happened: within the last 24 hours, at most 5 minutes ahead of the server's clock.",
      }),
      positionMs: t.int({
        required: true,
        description: 'Playback position, in milliseconds of the content; 0 for cards.',
      }),
      ranges: t.field({
        type: [EngagementRangeInput],
        description:
          'Ranges played since the previous event, at most ' +
          `${MAX_RANGES} that do not overlap; HEARTBEAT needs one.`,
      }),
      startupMs: t.int({ description: 'START: start-up time, in milliseconds until the first frame.' }),
      source: t.field({ type: source, description: 'START: where the viewer came from; default: DIRECT.' }),
      rebufferMs: t.int({ description: 'REBUFFER: duration of the interruption in milliseconds.' }),
      quartile: t.int({ description: 'QUARTILE: 1, 2 or 3.' }),
      quality: t.string({ description: 'QUALITY_CHANGE: name of the new quality, such as 720p.' }),
      errorCode: t.string({ description: 'ERROR: error code of the player.' }),
      variant: t.field({
        type: 'DID',
        description:
          'IMPRESSION: card.variant of the content, if the card showed its title and image. It counts for the test ' +
          'if it is running and this viewer gets the variant; otherwise as an impression only.',
      }),
    }),
  });
  return builder.inputType('TrackEngagementInput', {
    description: 'Events of a player, or of a page with cards.',
    fields: (t) => ({
      events: t.field({
        type: [EngagementEventInput],
        required: true,
        description: `1 to ${MAX_EVENTS} events, those of a session in order.`,
      }),
    }),
  });
}

/** The fields of the payload, whose types it declares. */
function declarePayload(graph: Graph) {
  const EngagementEventError = graph.object('EngagementEventError', {
    description: 'Why an event was rejected.',
    fields: (f) => ({
      code: f.value({ type: graph.ErrorCode, description: 'Its code.' }),
      message: f.value({ type: 'String', description: 'The error message.' }),
      field: f.value({
        type: 'String',
        nullable: true,
        description: 'Path of the invalid value, such as input.events[3].ranges.',
      }),
      suggestedFix: f.value({ type: 'String', description: 'How to fix it.' }),
    }),
  });
  const EngagementEventResult = graph.object('EngagementEventResult', {
    description: 'The result for one event.',
    fields: (f) => ({
      index: f.value({ type: 'Int', description: 'Its index in the input, from 0.' }),
      sessionId: f.value({
        type: 'String',
        nullable: true,
        description: 'Its session; null if the event could not be read.',
      }),
      seq: f.value({ type: 'Int', nullable: true, description: 'Its number; null if the event could not be read.' }),
      ok: f.value({ type: 'Boolean', description: 'Whether it was accepted; also true if it was sent before.' }),
      error: f.value({
        type: EngagementEventError,
        nullable: true,
        description: 'Why it was refused; null if it was accepted.',
      }),
    }),
  });
  return (f: FieldFactory) => ({
    tracked: f.value({
      type: 'Boolean',
      description:
        'Whether accepted events are stored. False for viewers who opt out of tracking (Do Not Track, Global ' +
        'Privacy Control or settings.doNotTrack) and for robots: nothing is stored.',
    }),
    accepted: f.value({ type: 'Int', description: 'Number of accepted events.' }),
    refused: f.value({ type: 'Int', description: 'Number of refused events.' }),
    results: f.value({
      type: [EngagementEventResult],
      description: 'One result for each event, in the order of the input.',
    }),
  });
}

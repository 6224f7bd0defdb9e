import type { ArgBuilder, CommandContext, Graph } from '../../../gql/index.ts';
import { ENGAGEMENT_KINDS, type EngagementKind, MAX_RANGES } from './engagement-event.ts';
import { MAX_EVENTS, reporterOf, type TrackOutcome } from './track-engagement.ts';

/** Declares trackEngagement: what players and pages with cards report. */
export function declareTracking(graph: Graph): void {
  graph.mutation('trackEngagement', {
    access: 'engagement:track',
    unrecorded: true,
    description:
      'Takes in what a player reports, and which cards a page showed, at most 100 events at a time. Each is accepted or refused by itself, and sending one again changes nothing: sessionId and seq name it. What is counted of them appears within seconds. Players without a key post the same input as JSON to /api/engagement.',
    payload: declarePayload(graph),
    args: (t: ArgBuilder) => ({
      input: t.field({ type: declareInput(graph), required: true, description: 'The events.' }),
    }),
    command: async (context, { input }) => payloadOf(await track(context, input.events)),
  });
}

function track(context: CommandContext, events: readonly unknown[]): Promise<TrackOutcome> {
  const { client, viewer, services } = context;
  return services.engagement.tracker.track(events, reporterOf(client, viewer), 'input.events');
}

/** The outcome as the API tells it, in GraphQL and in JSON; with `refusedOnly`, results of accepted events are left out. */
export function payloadOf({ tracked, results }: TrackOutcome, { refusedOnly = false } = {}): Readonly<Record<string, unknown>> {
  const refused = results.reduce((count, { error }) => (error === null ? count : count + 1), 0);
  const reported = refusedOnly && refused === 0 ? [] : results.map((result, index) => ({ ...result, index }));
  return {
    tracked,
    accepted: results.length - refused,
    refused,
    results: (refusedOnly ? reported.filter(({ error }) => error !== null) : reported).map(({ index, sessionId, seq, error }) => ({
      index,
      sessionId,
      seq,
      ok: error === null,
      error: error && {
        code: error.code,
        message: error.message,
        field: error.field ?? null,
        suggestedFix: error.suggestedFix,
      },
    })),
  };
}

function declareInput({ builder }: Graph) {
  const kinds = Object.entries(ENGAGEMENT_KINDS).map(([kind, description]) => [kind, { description }]);
  const EngagementEventKind = builder.enumType('EngagementEventKind', {
    description: 'What a player, or a page with cards, reports.',
    values: Object.fromEntries(kinds) as Record<EngagementKind, { description: string }>, // the same keys
  });
  const EngagementRangeInput = builder.inputType('EngagementRangeInput', {
    description: 'A part of the content that was played without a jump.',
    fields: (t) => ({
      startMs: t.int({ required: true, description: 'Where it begins, in milliseconds of the content.' }),
      endMs: t.int({ required: true, description: 'Where it ends, in milliseconds of the content.' }),
    }),
  });
  const EngagementEventInput = builder.inputType('EngagementEventInput', {
    description: 'One event of one playback, or of one visit of a page.',
    fields: (t) => ({
      kind: t.field({ type: EngagementEventKind, required: true, description: 'What happened.' }),
      contentId: t.field({ type: 'DID', required: true, description: 'What is played, or what the card leads to.' }),
      sessionId: t.string({ required: true, description: 'UUID of the playback, made by the player; of cards: of the visit of the page.' }),
      seq: t.int({ required: true, description: 'Number of the event in its session, from 0; with sessionId it names the event.' }),
      occurredAt: t.field({
        type: 'DateTime',
        required: true,
        description: 'When it happened: within the last 24 hours, at most 5 minutes ahead of our clock.',
      }),
      positionMs: t.int({ required: true, description: 'Where playback stands, in milliseconds of the content; 0 for cards.' }),
      ranges: t.field({
        type: [EngagementRangeInput],
        description: `What was played since the event before, at most ${MAX_RANGES} ranges that do not overlap; HEARTBEAT needs one.`,
      }),
      startupMs: t.int({ description: 'START: milliseconds from the wish to play until the first picture.' }),
      rebufferMs: t.int({ description: 'REBUFFER: milliseconds for which playback stood.' }),
      quartile: t.int({ description: 'QUARTILE: 1, 2 or 3.' }),
      quality: t.string({ description: 'QUALITY_CHANGE: name of the quality, such as 720p.' }),
      errorCode: t.string({ description: 'ERROR: short name of the failure.' }),
    }),
  });
  return builder.inputType('TrackEngagementInput', {
    description: 'What a player, or a page with cards, reports.',
    fields: (t) => ({
      events: t.field({
        type: [EngagementEventInput],
        required: true,
        description: `1 to ${MAX_EVENTS} events, those of a session in their order.`,
      }),
    }),
  });
}

function declarePayload(graph: Graph) {
  const EngagementEventError = graph.object('EngagementEventError', {
    description: 'Why an event was refused.',
    fields: (f) => ({
      code: f.value({ type: 'String', description: 'Code of the error catalogue.' }),
      message: f.value({ type: 'String', description: 'What is wrong.' }),
      field: f.value({ type: 'String', nullable: true, description: 'Path of the value that is wrong, such as input.events[3].ranges.' }),
      suggestedFix: f.value({ type: 'String', description: 'What to do about it.' }),
    }),
  });
  const EngagementEventResult = graph.object('EngagementEventResult', {
    description: 'What became of one event.',
    fields: (f) => ({
      index: f.value({ type: 'Int', description: 'Its place in the input, from 0.' }),
      sessionId: f.value({ type: 'String', nullable: true, description: 'Its session; null where the event could not be read.' }),
      seq: f.value({ type: 'Int', nullable: true, description: 'Its number; null where the event could not be read.' }),
      ok: f.value({ type: 'Boolean', description: 'Whether it was accepted; also true for one that was sent before.' }),
      error: f.value({ type: EngagementEventError, nullable: true, description: 'Why it was refused; null when it was not.' }),
    }),
  });
  return graph.object('TrackEngagementPayload', {
    description: 'What became of the events.',
    fields: (f) => ({
      tracked: f.value({
        type: 'Boolean',
        description:
          'Whether accepted events are kept. False for viewers who wish not to be tracked (Do Not Track, Global Privacy Control or settings.doNotTrack) and for robots: nothing of them is written.',
      }),
      accepted: f.value({ type: 'Int', description: 'How many events were accepted.' }),
      refused: f.value({ type: 'Int', description: 'How many events were refused.' }),
      results: f.value({ type: [EngagementEventResult], description: 'One result for each event, in the order of the input.' }),
    }),
  });
}

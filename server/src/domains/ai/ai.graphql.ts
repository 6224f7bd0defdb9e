import type { ArgBuilder, EntityRef, Graph } from '../../gql/index.ts';
import { CHANNEL_CHANGE, requireAccount } from '../channels/index.ts';
import { MAX_DESCRIPTION, MAX_TITLE, predictVirality, type ViralityPrediction } from './predict-virality.ts';
import { RECOMMENDATION_AREAS, RECOMMENDATION_PRIORITIES } from './recommendations.ts';

/** Fetching a picture may take 8 s, and others may be decoded before it. */
const TIMEOUT_MS = 30_000;

/** Declares predictVirality. */
export function declareAi(graph: Graph): void {
  const PredictViralityInput = graph.builder.inputType('PredictViralityInput', {
    description: 'A video as people would see it on a card.',
    fields: (t) => ({
      title: t.string({ required: true, description: `Title, 1 to ${MAX_TITLE} characters.` }),
      imageUrl: t.string({
        description:
          'Public http or https address of the picture, or the url of an ImageAsset: JPEG, PNG, WebP, AVIF or GIF of at most 25 MiB. Only its light, colours, detail and size are looked at. Without it the prediction is less sure.',
      }),
      description: t.string({ description: `Description, at most ${MAX_DESCRIPTION} characters.` }),
      channel: t.field({
        type: 'DID',
        description:
          "Identifier of the channel it would be on, whose numbers you may see; defaults to the account's own channel. Channels differ in what they are clicked on.",
      }),
      category: t.string({ description: 'Name, slug or identifier of its category; the one its words point to unless it says otherwise.' }),
    }),
  });
  const payload = declarePayload(graph);
  graph.mutation('predictVirality', {
    access: 'virality:predict',
    policies: [CHANNEL_CHANGE],
    unrecorded: true,
    description:
      'Tells how often a video would be clicked on where its card is shown, by what was measured on this platform, how sure that is, and what would be better. Changes nothing. What goes along with clicks need not cause them.',
    payload,
    timeoutMs: TIMEOUT_MS,
    args: (t: ArgBuilder) => ({ input: t.field({ type: PredictViralityInput, required: true, description: 'The video.' }) }),
    command: async (context, { input }) => {
      const startMs = performance.now();
      const didOf = (id: string): string => context.did('category', id);
      const { accountId, channelId: ownChannelId } = requireAccount(context);
      const channelId = input.channel == null ? null : context.parseDid(input.channel, ['channel'], 'input.channel').id;
      const requester = { accountId, ownChannelId, channelId };
      const predicted = await predictVirality(context.services.ai, input, { requester, didOf, signal: context.signal });
      return { ...payloadOf(predicted), processingTimeMs: Math.round(performance.now() - startMs) };
    },
  });
}

function payloadOf({ prediction, recommendations, overallAssessment, basis, ...more }: ViralityPrediction): Record<string, unknown> {
  const { ctr, low, high, score, confidence } = prediction;
  return {
    viralityScore: Math.round(score),
    predictedCtr: ctr,
    predictedCtrLow: low,
    predictedCtrHigh: high,
    confidence,
    recommendation: more.recommendation,
    bestCategory: more.bestCategory,
    inferredCategory: more.inferredCategory,
    recommendations: { overallAssessment, ...recommendations },
    basis: basis && {
      contents: basis.contents,
      impressions: basis.impressions,
      clicks: basis.clicks,
      trainedAt: basis.trainedAt,
      calibrationError: basis.calibrationError,
      usesFeatures: (basis.parameters.ctr?.encoding.numbers.length ?? 0) > 0,
    },
  };
}

function declarePayload(graph: Graph): EntityRef {
  const InferredCategory = graph.object('InferredCategory', {
    description: 'The category that words point to.',
    fields: (f) => ({
      category: f.value({ type: 'String', description: 'Name of the category.' }),
      confidence: f.value({
        type: 'Float',
        nullable: true,
        description:
          'How often such guesses were right for texts that were held out, 0 to 1; null while fewer than 50 public contents have a category.',
      }),
    }),
  });
  const recommendations = declareRecommendations(graph);
  const ViralityBasis = declareBasis(graph);
  return graph.object('PredictViralityPayload', {
    description: 'How a video would do, by what was measured on this platform.',
    fields: (f) => ({
      viralityScore: f.value({
        type: 'Int',
        description:
          'The chance, 0 to 100, that it gets a higher click-through rate than a public content of this platform picked at random. 50: as good as any, or nothing is known.',
      }),
      predictedCtr: f.value({
        type: 'Float',
        description: 'Mean of the click-through rate that is expected: clicks by impressions of its card, 0 to 1.',
      }),
      predictedCtrLow: f.value({ type: 'Float', description: 'With a probability of 80 % the rate lies between this …' }),
      predictedCtrHigh: f.value({ type: 'Float', description: '… and this.' }),
      recommendation: f.value({ type: 'String', description: 'What to do, in one sentence.' }),
      confidence: f.value({
        type: 'Float',
        description:
          'By how much the uncertainty about the rate is smaller than about a video nothing is known of, 0 to 1: 1 minus the ratio of the deviations of its logit. 0 while nothing was measured here; far from 1 at best, since what the model sees of a video is not all that makes people click.',
      }),
      processingTimeMs: f.value({ type: 'Int', description: 'How long it took, in milliseconds.' }),
      bestCategory: f.value({
        type: 'String',
        nullable: true,
        description: 'Name of the category in which the rate would be highest; null where nothing is known of categories.',
      }),
      inferredCategory: f.value({ type: InferredCategory, nullable: true, description: 'What its words point to; null when to nothing.' }),
      recommendations: f.value({ type: recommendations, description: 'What speaks for it, and what would be better.' }),
      basis: f.value({
        type: ViralityBasis,
        nullable: true,
        description: 'What it was learnt from; null while nothing was measured here.',
      }),
    }),
  });
}

function declareRecommendations(graph: Graph): EntityRef {
  const ViralityArea = graph.builder.enumType('ViralityArea', {
    description: 'What an improvement is about.',
    values: described(RECOMMENDATION_AREAS),
  });
  const ViralityPriority = graph.builder.enumType('ViralityPriority', {
    description: 'How urgent an improvement is.',
    values: described(RECOMMENDATION_PRIORITIES),
  });
  const ViralityImprovement = graph.object('ViralityImprovement', {
    description: 'Something that would be better.',
    fields: (f) => ({
      area: f.value({ type: ViralityArea, description: 'What it is about.' }),
      priority: f.value({ type: ViralityPriority, description: 'How urgent it is.' }),
      suggestion: f.value({ type: 'String', description: 'What to do.' }),
      estimatedImpact: f.value({
        type: 'Float',
        nullable: true,
        description:
          'By how many percentage points the click-through rate of such videos was higher here, everything else being the same; told where it is higher with a probability of at least 98 %. Null for plain facts that nothing measured says the worth of.',
      }),
    }),
  });
  return graph.object('ViralityRecommendations', {
    description: 'What speaks for a video, and what would be better.',
    fields: (f) => ({
      overallAssessment: f.value({ type: 'String', description: 'What is expected and what that rests on, in a few sentences.' }),
      strengths: f.value({ type: ['String'], description: 'What speaks for it.' }),
      improvements: f.value({ type: [ViralityImprovement], description: 'What would be better, the most urgent first.' }),
    }),
  });
}

function declareBasis(graph: Graph): EntityRef {
  return graph.object('ViralityBasis', {
    description: 'What a prediction was learnt from, and how well it does.',
    fields: (f) => ({
      contents: f.value({ type: 'Int', description: 'Public contents that were shown to somebody within a year.' }),
      impressions: f.value({ type: 'BigInt', description: 'How often their cards were seen.' }),
      clicks: f.value({ type: 'BigInt', description: 'How often these were followed.' }),
      trainedAt: f.value({ type: 'DateTime', description: 'When it was learnt.' }),
      calibrationError: f.value({
        type: 'Float',
        nullable: true,
        description:
          'How far predicted rates lay off those measured, 0 to 1: the mean over groups of contents with like predictions, each predicted by a model that had not seen it. Null with fewer than 40 contents.',
      }),
      usesFeatures: f.value({
        type: 'Boolean',
        description:
          'Whether title, picture, description and category count. They do once they predicted contents that were held out better than the mean alone; before, the rate is the same for all.',
      }),
    }),
  });
}

function described<Name extends string>(table: Readonly<Record<Name, string>>): Record<Name, { description: string }> {
  // The same keys, which Object.fromEntries cannot tell.
  return Object.fromEntries(Object.entries<string>(table).map(([name, description]) => [name, { description }])) as Record<
    Name,
    { description: string }
  >;
}

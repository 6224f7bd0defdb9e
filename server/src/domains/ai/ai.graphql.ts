import type { ArgBuilder, EntityRef, Graph } from '../../gql/index.ts';
import { CHANNEL_CHANGE, requireAccount } from '../channels/index.ts';
import { RECOMMENDATION_AREAS, RECOMMENDATION_PRIORITIES } from './improvement.ts';
import { MAX_DESCRIPTION, MAX_TITLE, predictVirality, type ViralityPrediction } from './predict-virality.ts';

/** Fetching an image may take 8 s, and others may be decoded before it. */
const TIMEOUT_MS = 30_000;

/** Declares predictVirality. */
export function declareAi(graph: Graph): void {
  const PredictViralityInput = graph.builder.inputType('PredictViralityInput', {
    description: 'A planned video as it would appear on a card.',
    fields: (t) => ({
      title: t.string({ required: true, description: `Title, 1 to ${MAX_TITLE} characters.` }),
      imageUrl: t.string({
        description:
          'Public http or https address of the image, or the url of an ImageAsset: JPEG, PNG, WebP, AVIF or GIF of at most 25 MiB. Only its light, colors, detail and size are analyzed. Without it the prediction is less certain.',
      }),
      description: t.string({ description: `Description, at most ${MAX_DESCRIPTION} characters.` }),
      channel: t.field({
        type: 'DID',
        description:
          "Identifier of its channel, whose analytics you may see; defaults to the account's own channel. Click-through rates differ between channels.",
      }),
      category: t.string({ description: 'Name, slug or identifier of its category; inferred from its words by default.' }),
    }),
  });
  const payload = declarePayload(graph);
  graph.mutation('predictVirality', {
    access: 'virality:predict',
    policies: [CHANNEL_CHANGE],
    unrecorded: true,
    description:
      "Predicts the click-through rate of a video's card from this platform's data, with its confidence and recommendations. Read-only. Correlations with clicks need not be causal.",
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
    description: 'A category inferred from words.',
    fields: (f) => ({
      category: f.value({ type: 'String', description: 'Name of the category.' }),
      confidence: f.value({
        type: 'Float',
        nullable: true,
        description: 'Accuracy of such inferences on held-out texts, 0 to 1; null while fewer than 50 public contents have a category.',
      }),
    }),
  });
  const recommendations = declareRecommendations(graph);
  const ViralityBasis = declareBasis(graph);
  return graph.object('PredictViralityPayload', {
    description: "Performance prediction of a video, from this platform's data.",
    fields: (f) => ({
      viralityScore: f.value({
        type: 'Int',
        description:
          'The chance, 0 to 100, of a higher click-through rate than a random public content of this platform. 50: average, or no data.',
      }),
      predictedCtr: f.value({
        type: 'Float',
        description: 'Expected click-through rate: clicks per impression of its card, 0 to 1.',
      }),
      predictedCtrLow: f.value({ type: 'Float', description: 'Lower bound of the 80 % interval of the rate.' }),
      predictedCtrHigh: f.value({ type: 'Float', description: 'Upper bound of the 80 % interval of the rate.' }),
      recommendation: f.value({ type: 'String', description: 'The top recommendation in one sentence.' }),
      confidence: f.value({
        type: 'Float',
        description:
          'Confidence, 0 to 1: 1 minus the ratio of the standard deviation of its logit to that of an unknown video. 0 without data; always far from 1, since people click for reasons the model cannot see.',
      }),
      processingTimeMs: f.value({ type: 'Int', description: 'Processing time in milliseconds.' }),
      bestCategory: f.value({
        type: 'String',
        nullable: true,
        description: 'Name of the category with the highest expected rate; null without data on categories.',
      }),
      inferredCategory: f.value({
        type: InferredCategory,
        nullable: true,
        description: 'Category inferred from its words; null when there is none.',
      }),
      recommendations: f.value({ type: recommendations, description: 'Strengths and improvements.' }),
      basis: f.value({
        type: ViralityBasis,
        nullable: true,
        description: 'Training data of the model; null without data.',
      }),
    }),
  });
}

function declareRecommendations(graph: Graph): EntityRef {
  const ViralityArea = graph.builder.enumType('ViralityArea', {
    description: 'Area of an improvement.',
    values: described(RECOMMENDATION_AREAS),
  });
  const ViralityPriority = graph.builder.enumType('ViralityPriority', {
    description: 'Priority of an improvement.',
    values: described(RECOMMENDATION_PRIORITIES),
  });
  const ViralityImprovement = graph.object('ViralityImprovement', {
    description: 'A suggested improvement.',
    fields: (f) => ({
      area: f.value({ type: ViralityArea, description: 'Area.' }),
      priority: f.value({ type: ViralityPriority, description: 'Priority.' }),
      suggestion: f.value({ type: 'String', description: 'Suggestion.' }),
      estimatedImpact: f.value({
        type: 'Float',
        nullable: true,
        description:
          'Expected gain of click-through rate in percentage points, everything else being equal; given only with a probability of at least 98 %. Null for rule checks, whose effect is not measured.',
      }),
    }),
  });
  return graph.object('ViralityRecommendations', {
    description: 'Recommendations for a video.',
    fields: (f) => ({
      overallAssessment: f.value({ type: 'String', description: 'Summary of the prediction and its basis.' }),
      strengths: f.value({ type: ['String'], description: 'Strengths.' }),
      improvements: f.value({ type: [ViralityImprovement], description: 'Improvements, most urgent first.' }),
    }),
  });
}

function declareBasis(graph: Graph): EntityRef {
  return graph.object('ViralityBasis', {
    description: 'Training data of a prediction model, and its quality.',
    fields: (f) => ({
      contents: f.value({ type: 'Int', description: 'Public contents that were shown to somebody within a year.' }),
      impressions: f.value({ type: 'BigInt', description: 'Impressions of their cards.' }),
      clicks: f.value({ type: 'BigInt', description: 'Clicks on their cards.' }),
      trainedAt: f.value({ type: 'DateTime', description: 'When it was trained.' }),
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

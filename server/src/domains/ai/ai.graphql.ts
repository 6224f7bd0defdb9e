import type { ArgBuilder, EntityRef, Graph } from '../../gql/index.ts';
import { localized } from '../../kernel/languages/catalogs.ts';
import type { Language } from '../../kernel/languages/languages.ts';
import type { Text } from '../../kernel/languages/message.ts';
import type { CatalogTypes } from '../catalog/index.ts';
import { CHANNEL_CHANGE, requireAccount } from '../channels/index.ts';
import { declareForecast } from './forecast/forecast.graphql.ts';
import { RECOMMENDATION_AREAS, RECOMMENDATION_PRIORITIES } from './improvement.ts';
import { MAX_DESCRIPTION, MAX_TITLE, predictVirality, type ViralityPrediction } from './predict-virality.ts';

/** Fetching an image may take 8 s, and others may be decoded before it. */
const TIMEOUT_MS = 30_000;

/** Declares predictVirality and forecasts. */
export function declareAi(graph: Graph, { catalog }: { readonly catalog: CatalogTypes }): void {
  declareForecast(graph, catalog.Content);
  const ViralityPredictionInput = graph.builder.inputType('ViralityPredictionInput', {
    description: 'A planned video as it would appear on a card.',
    fields: (t) => ({
      title: t.string({ description: `Title, required; 1 to ${MAX_TITLE} characters.` }),
      imageUrl: t.string({
        description:
          'Public http or https address of the image, or the url of an ImageAsset: ' +
          'JPEG, PNG, WebP, AVIF or GIF of at most 25 MiB. Only its light, colors, ' +
          'detail and size are used. Without it the prediction is less certain.',
      }),
      description: t.string({ description: `Description, at most ${MAX_DESCRIPTION} characters.` }),
      channel: t.field({
        type: 'DID',
        description:
          'Id of the channel it would be published on, whose analytics you may see; default: the ' +
          "account's own channel. Channels differ in their click-through rates.",
      }),
      category: t.string({ description: 'Name, slug or id of its category; default: inferred from its texts.' }),
    }),
  });
  const payload = declarePayload(graph);
  graph.mutation('predictVirality', {
    access: 'virality:predict',
    policies: [CHANNEL_CHANGE],
    unrecorded: true,
    description:
      'Predicts how often a video would be clicked where its card is shown, from ' +
      'measurements on this platform, with the uncertainty and recommendations. Changes ' +
      'nothing. The prediction shows correlation with clicks, not their causes.',
    type: payload,
    timeoutMs: TIMEOUT_MS,
    args: (t: ArgBuilder) => ({
      input: t.field({ type: ViralityPredictionInput, required: true, description: 'The video.' }),
    }),
    command: async (context, { input }) => {
      const startMs = performance.now();
      const didOf = (id: string): string => context.did('category', id);
      const { accountId, channelId: ownChannelId, token } = requireAccount(context);
      if (token) context.requirePermission('analytics:read');
      const given = input.channel == null ? null : context.parseDid(input.channel, ['channel'], 'input.channel').id;
      // Everyone is the owner of their own channel; a token may act for another one by default.
      const channelId = given ?? (token ? ownChannelId : null);
      const requester = { accountId, viewer: context.scope, ownChannelId, channelId };
      const predicted = await predictVirality(context.services.ai, input, {
        ...{ requester, didOf, signal: context.signal, language: context.language },
      });
      return { ...payloadOf(predicted, context.language), processingTimeMs: Math.round(performance.now() - startMs) };
    },
  });
}

function payloadOf(
  { prediction, recommendations, overallAssessment, basis, ...more }: ViralityPrediction,
  language: Language,
): Record<string, unknown> {
  const say = (text: Text): string => localized(text, language);
  const { ctr, low, high, score, confidence } = prediction;
  return {
    viralityScore: Math.round(score),
    ...{ clickThroughRate: ctr, clickThroughRateLow: low, clickThroughRateHigh: high },
    predictedCtr: percentOf(ctr),
    confidence,
    recommendation: say(more.recommendation),
    bestCategory: more.bestCategory,
    inferredCategory: more.inferredCategory,
    recommendations: {
      overallAssessment: say(overallAssessment),
      strengths: recommendations.strengths.map(say),
      improvements: recommendations.improvements.map(({ suggestion, estimatedImpact: points, ...each }) => ({
        ...each,
        suggestion: say(suggestion),
        clickThroughRatePoints: points,
        estimatedImpact: points === null ? null : pointsOf(points),
      })),
    },
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

function percentOf(rate: number): string {
  return `${(rate * 100).toFixed(1)}%`;
}

function pointsOf(points: number): string {
  return `+${points.toFixed(1)} points`;
}

function declarePayload(graph: Graph): EntityRef {
  const InferredCategory = graph.object('InferredCategory', {
    description: 'The category inferred from the texts.',
    fields: (f) => ({
      category: f.value({ type: 'String', description: 'Name of the category.' }),
      confidence: f.value({
        type: 'Float',
        nullable: true,
        description:
          'How often such inferences were right for held-out texts, 0 to ' +
          '1; null while fewer than 50 public contents have a category.',
      }),
    }),
  });
  const recommendations = declareRecommendations(graph);
  const ViralityBasis = declareBasis(graph);
  return graph.object('ViralityPrediction', {
    description: 'The predicted performance of a video, from measurements on this platform.',
    fields: (f) => ({
      viralityScore: f.value({
        type: 'Int',
        description:
          'The probability, 0 to 100, that it gets a higher click-through rate than a random ' +
          'public content of this platform. 50: average, or nothing is known.',
      }),
      clickThroughRate: f.value({
        type: 'Float',
        description: 'Mean of the predicted click-through rate: clicks per impression of its card, 0 to 1.',
      }),
      clickThroughRateLow: f.value({
        type: 'Float',
        description: 'Lower bound of the interval that contains the rate with a probability of 80 %.',
      }),
      clickThroughRateHigh: f.value({ type: 'Float', description: 'Upper bound of that interval.' }),
      predictedCtr: f.value({ type: 'String', description: 'The rate in percent: 4.2%.' }),
      recommendation: f.value({ type: 'String', description: 'The main recommendation, in one sentence.' }),
      confidence: f.value({
        type: 'Float',
        description:
          'How much smaller the uncertainty about the rate is than for an unknown video, 0 to 1: 1 ' +
          'minus the ratio of the deviations of its logit. 0 without measurements; far from 1 at best, ' +
          'because the model does not see everything that makes people click.',
      }),
      processingTimeMs: f.value({ type: 'Int', description: 'Processing time in milliseconds.' }),
      bestCategory: f.value({
        type: 'String',
        nullable: true,
        description: 'Name of the category with the highest predicted rate; null if nothing is known about categories.',
      }),
      inferredCategory: f.value({
        type: InferredCategory,
        nullable: true,
        description: 'The category inferred from its texts; null if none is.',
      }),
      recommendations: f.value({ type: recommendations, description: 'Strengths and improvements.' }),
      basis: f.value({
        type: ViralityBasis,
        nullable: true,
        description: 'The data behind the prediction; null without measurements.',
      }),
    }),
  });
}

function declareRecommendations(graph: Graph): EntityRef {
  const ViralityArea = graph.builder.enumType('ViralityArea', {
    description: 'The subject of an improvement.',
    values: described(RECOMMENDATION_AREAS),
  });
  const ViralityPriority = graph.builder.enumType('ViralityPriority', {
    description: 'Priority of an improvement.',
    values: described(RECOMMENDATION_PRIORITIES),
  });
  const ViralityImprovement = graph.object('ViralityImprovement', {
    description: 'A recommended improvement.',
    fields: (f) => ({
      area: f.value({ type: ViralityArea, description: 'Its subject.' }),
      priority: f.value({ type: ViralityPriority, description: 'Its priority.' }),
      suggestion: f.value({ type: 'String', description: 'The recommendation.' }),
      clickThroughRatePoints: f.value({
        type: 'Float',
        nullable: true,
        description:
          'By how many percentage points the click-through rate of such videos was ' +
          'higher here, everything else being equal; given if it is higher with a ' +
          'probability of at least 98 %. Null for rules that need no measurement.',
      }),
      estimatedImpact: f.value({ type: 'String', nullable: true, description: 'These points as a text: +1.2 points.' }),
    }),
  });
  return graph.object('ViralityRecommendations', {
    description: 'Strengths of a video, and recommended improvements.',
    fields: (f) => ({
      overallAssessment: f.value({ type: 'String', description: 'The prediction and its basis, in a few sentences.' }),
      strengths: f.value({ type: ['String'], description: 'The strengths.' }),
      improvements: f.value({ type: [ViralityImprovement], description: 'The improvements, highest priority first.' }),
    }),
  });
}

function declareBasis(graph: Graph): EntityRef {
  return graph.object('ViralityBasis', {
    description: 'The data behind a prediction, and its accuracy.',
    fields: (f) => ({
      contents: f.value({ type: 'Int', description: 'Public contents with impressions within a year.' }),
      impressions: f.value({ type: 'BigInt', description: 'Impressions of their cards.' }),
      clicks: f.value({ type: 'BigInt', description: 'Clicks on their cards.' }),
      trainedAt: f.value({ type: 'DateTime', description: 'When the model was trained.' }),
      calibrationError: f.value({
        type: 'Float',
        nullable: true,
        description:
          'Mean error of predicted rates, 0 to 1, over groups of contents with similar predictions, each ' +
          'predicted by a model that had not seen it. Null with fewer than 40 contents.',
      }),
      usesFeatures: f.value({
        type: 'Boolean',
        description:
          'Whether title, image, description and category affect the prediction. They do once they improved ' +
          'predictions for held-out contents; before that, every video gets the same rate.',
      }),
    }),
  });
}

function described<Name extends string>(table: Readonly<Record<Name, string>>): Record<Name, { description: string }> {
  // The same keys, which Object.fromEntries does not infer.
  return Object.fromEntries(
    Object.entries<string>(table).map(([name, description]) => [name, { description }]),
  ) as Record<Name, { description: string }>;
}

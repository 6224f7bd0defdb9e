import type { GetPromptResult, Prompt } from '@modelcontextprotocol/server';
import { AppError } from '../kernel/errors.ts';

interface PromptFile extends Prompt {
  readonly name: string;
  /** The text with `{argument}` placeholders; a line whose argument is missing is omitted. */
  readonly lines: readonly string[];
}

const FILES: readonly PromptFile[] = [
  {
    name: 'publish_a_video',
    title: 'Publish a video',
    description: 'Uploads a video, checks its texts and publishes it.',
    arguments: [
      { name: 'source', description: 'Address or path of the file.', required: true },
      { name: 'about', description: 'Its subject and audience.' },
      { name: 'category', description: 'Name of its category.' },
      { name: 'release', description: 'When to publish it; default: now.' },
    ],
    lines: [
      'Publish the video {source} on my channel.',
      'It is about: {about}',
      'Its category is {category}: set it with update_content.',
      'Publish it at: {release}',
      'Propose a title (at most 100 characters), a summary and keywords, and let me confirm them.',
      'Then call publish_video; for a local file run the curlCommand of ' +
        'its answer. Wait with wait_for_processing until it is COMPLETE.',
      'If processing fails, tell me the error and what to do about ' +
        'it. Publish it, and give me its id and where it plays.',
    ],
  },
  {
    name: 'review_a_channel',
    title: 'Review a channel',
    description: "Examines a channel's analytics, finds what works and what does not, and proposes next steps.",
    arguments: [
      { name: 'channel', description: "The channel's id; default: your own channel." },
      { name: 'range', description: 'LAST_7D, LAST_28D, LAST_90D or YTD.' },
    ],
    lines: [
      'Review the channel {channel}.',
      'Look at the period {range}.',
      'Use get_me for the channel if none was named, then channel_dashboard and channel_analytics; for the ' +
        'three most viewed videos and the weakest one use video_analytics.',
      'Tell me what grew and what fell against the period before, where viewers leave ' +
        'and what those places have in common, and what waits for review.',
      'Numbers with a coverage below 1 are not complete yet: say so. End with ' +
        'at most five proposals, the most valuable first. Change nothing.',
    ],
  },
  {
    name: 'plan_a_series',
    title: 'Plan a series',
    description: 'Plans a series with seasons and episodes and, once confirmed, creates them as drafts.',
    arguments: [
      { name: 'idea', description: 'Subject of the series.', required: true },
      { name: 'episodes', description: 'Number of episodes.' },
    ],
    lines: [
      'Plan a series: {idea}',
      'It has {episodes} episodes.',
      'Search the platform for what exists on the subject, so that it is not the same again.',
      'Propose a title, a summary, seasons and for each episode a title and two sentences; let me confirm them.',
      'Then create it with create_series, create_season and create_episode, all PRIVATE, and list the ids.',
    ],
  },
];

export const PROMPTS: readonly Prompt[] = FILES.map(({ lines: _lines, ...prompt }) => prompt);

/** A prompt with its arguments filled in. Throws an AppError for unknown prompts and missing arguments. */
export function getPrompt(name: string, given: Readonly<Record<string, string>>): GetPromptResult {
  const file = FILES.find((each) => each.name === name);
  if (!file)
    throw new AppError('RESOURCE_NOT_FOUND', `There is no prompt ${JSON.stringify(name.slice(0, 80))}.`, {
      suggestedFix: `Choose from ${FILES.map((each) => each.name).join(', ')}.`,
    });
  const missing = file.arguments?.find((argument) => argument.required && !given[argument.name]);
  if (missing)
    throw new AppError('FIELD_REQUIRED', `The prompt ${name} needs ${missing.name}.`, { field: missing.name });
  const text = file.lines.flatMap((line) => fill(line, given)).join('\n');
  return {
    ...(file.description ? { description: file.description } : {}),
    messages: [{ role: 'user', content: { type: 'text', text } }],
  };
}

function fill(line: string, given: Readonly<Record<string, string>>): string[] {
  const names = [...line.matchAll(/\{(\w+)\}/g)].map(([, name]) => name ?? '');
  return names.every((name) => given[name])
    ? [line.replaceAll(/\{(\w+)\}/g, (_whole, name: string) => given[name] ?? '')]
    : [];
}

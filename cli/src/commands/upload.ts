import { basename, extname } from 'node:path';
import { Command, Option } from '@commander-js/extra-typings';
import type { Client } from '../../../clients/typescript/src/index.ts';
import { type CommandContext, contextOf } from '../context.ts';
import { AlreadyReported, CliError, describeError, type ErrorDetails, EXIT, Interrupted } from '../errors.ts';
import { channelOption, examples, instant, visibilityOption } from '../options.ts';
import { printError } from '../print-error.ts';
import { ProgressLine } from '../uploads/progress-line.ts';
import { ResumableUploadState } from '../uploads/resumable-upload-state.ts';
import { type FileUpload, uploadFile } from '../uploads/upload-file.ts';

/** The result for one file. */
interface Outcome {
  readonly file: string;
  readonly contentId: string | null;
  readonly title: string | null;
  readonly status: string | null;
  readonly url: string | null;
  readonly error: ErrorDetails | null;
}

const VIDEO_TYPES = ['LANDSCAPE_VIDEO', 'PORTRAIT_VIDEO', 'VR', 'SHORT'] as const;

/** Uploads and publishes videos. */
export const upload = new Command('upload')
  .summary('Upload videos, wait for processing and publish them')
  .description(
    'Upload videos, wait for processing and publish them. Files are sent one after the other; a ' +
      'lost connection is reestablished. After Ctrl-C or a restart of the machine the same command ' +
      'resumes after the last byte received: for 24 hours the upload is found by path, size and ' +
      'modification time of the file, and by the key. Title, summary and visibility may differ then.',
  )
  .argument('<FILE...>', 'Videos')
  .option('-t, --title <TITLE>', 'Title (default: name of the file)')
  .option('--summary <TEXT>', 'Description')
  .addOption(channelOption)
  .addOption(
    new Option('--type <TYPE>', 'Kind of video; SHORT creates a short (default: LANDSCAPE_VIDEO)').choices(VIDEO_TYPES),
  )
  .addOption(
    new Option('--season <SEASON>', 'Season or miniseries: the videos become its last episodes').conflicts([
      'channel',
      'type',
    ]),
  )
  .addOption(visibilityOption)
  .addOption(
    new Option('--release <TIME>', 'When to publish, such as 2030-01-31T18:00:00Z (default: when processed)').argParser(
      instant,
    ),
  )
  .addOption(new Option('--draft', 'Do not publish').conflicts('release'))
  .option('--enhance', 'Enhance the video once it is processed (Creator+ or a trial)')
  .addHelpText(
    'after',
    examples(
      'reelgraph upload video.mp4',
      'reelgraph upload --draft --title "Part one" part1.mov',
      'reelgraph upload *.mp4 --channel @studio --json',
      'reelgraph upload episode-1.mp4 episode-2.mp4 --season did:reelgraph:content/season/0198c5a0-…',
    ),
  )
  .action(async (files, { title, summary, visibility, channel, type, season, release, draft, enhance }, command) => {
    if (title !== undefined && files.length > 1)
      throw new CliError(
        '--title is for one file.',
        'Upload the files one by one, or omit --title: titles are then the file names.',
      );
    const context = contextOf(command);
    const client = await context.client();
    const channelId = await context.channelId(client, channel);
    const target = {
      publish: !draft,
      releaseDate: release,
      contentType: type,
      channel: channelId,
      parent: season,
      enhance,
    };
    const uploads: Outcome[] = [];
    for (const file of files) {
      const outcome = await outcomeOf(context, client, file, target, { title, summary, visibility });
      uploads.push(outcome);
      if (!context.isJson) print(context, outcome);
    }
    if (context.isJson) context.result({ uploads }, () => {});
    const failed = uploads.find(({ error }) => error !== null)?.error;
    if (failed) throw new AlreadyReported(failed.exitCode);
  });

/** Uploads a file. A failure becomes part of the outcome and the next file follows; Ctrl-C ends everything. */
async function outcomeOf(
  context: CommandContext,
  client: Client,
  file: string,
  target: FileUpload['target'],
  metadata: FileUpload['metadata'],
): Promise<Outcome> {
  const defaultTitle = basename(file, extname(file));
  const line = new ProgressLine(context.err, basename(file), context.isQuiet || context.isJson);
  const onNote = (text: string): void => {
    line.clear();
    context.note(text);
  };
  try {
    const { contentId, content } = await uploadFile(client, {
      file,
      state: await ResumableUploadState.open(context.env, await context.account(), file),
      target,
      defaultTitle,
      metadata,
      signal: context.signal,
      onProgress: (progress) => line.show(progress),
      onDisconnect: () => onNote('The connection was lost; retrying.'),
      onNote,
    });
    line.clear();
    const title = content?.metadata.title ?? defaultTitle;
    return { file, contentId, title, status: content?.status ?? null, url: content?.shortUrl ?? null, error: null };
  } catch (error) {
    line.clear();
    if (error instanceof Interrupted) {
      context.note('Interrupted. Run the same command again to resume.');
      throw error;
    }
    return { file, contentId: null, title: null, status: null, url: null, error: uploadError(error) };
  }
}

/** An unreachable platform does not end the upload: the next run resumes it. */
function uploadError(error: unknown): ErrorDetails {
  const details = describeError(error);
  if (details.exitCode !== EXIT.unreachable) return details;
  return { ...details, suggestedFix: 'Check the connection, then run the same command again: it resumes.' };
}

function print({ out, err }: CommandContext, { file, title, status, url, error }: Outcome): void {
  if (error === null) out.line(`${out.style('green', '✔')} ${title} (${status}): ${url}`);
  else printError(err, error, file);
}

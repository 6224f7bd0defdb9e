import { basename, extname } from 'node:path';
import type { Client, ContentType, Visibility } from '../../../client/src/index.ts';
import type { Call } from '../call.ts';
import { CHANNEL_OPTION, type Command } from '../command.ts';
import { CliError, EXIT, type Failure, failureOf, Interrupted, Told } from '../failures.ts';
import { watchAddress } from '../format.ts';
import { tellFailure } from '../print-error.ts';
import { ProgressLine } from '../uploads/progress-line.ts';
import { KeptUpload } from '../uploads/resumable-upload-state.ts';
import { type FileUpload, uploadFile } from '../uploads/upload-file.ts';

/** What became of one file. */
interface Outcome {
  readonly file: string;
  readonly contentId: string | null;
  readonly title: string | null;
  readonly status: string | null;
  readonly url: string | null;
  readonly error: Failure | null;
}

/** Files to published videos. */
export const upload: Command = {
  name: 'upload',
  about: 'Upload videos, wait until they are processed and publish them',
  details:
    'Files are sent one after the other. A connection that breaks is made again. After Ctrl-C, or when the machine was switched off, the same command continues behind the last byte that has arrived: the upload is found again by path, size and time of change of the file, for 24 hours. Title, summary and visibility may be others then.',
  operands: [{ name: 'FILE', about: 'Videos', isRepeated: true, isFile: true }],
  options: [
    { name: 'title', short: 't', value: 'TITLE', about: 'Title; the name of the file unless you say otherwise' },
    { name: 'summary', value: 'TEXT', about: 'What it is about' },
    CHANNEL_OPTION,
    { name: 'type', value: 'TYPE', choices: ['FEATURE', 'SHORT'], about: 'What it becomes; FEATURE unless you say otherwise' },
    { name: 'visibility', value: 'VISIBILITY', choices: ['PUBLIC', 'UNLISTED', 'PRIVATE'], about: 'Who finds it once it is published' },
    { name: 'release', value: 'TIME', about: 'When to publish, such as 2030-01-31T18:00:00Z; as soon as it is ready when left out' },
    { name: 'draft', about: 'Do not publish' },
  ],
  examples: [
    'reelgraph upload film.mp4',
    'reelgraph upload --draft --title "Part one" part1.mov',
    'reelgraph upload *.mp4 --channel @studio --json',
  ],
  async run(call) {
    const { values } = call;
    if (values.flag('draft') && values.text('release') !== undefined)
      throw new CliError('--draft and --release contradict each other.', 'Leave one of them out.');
    if (values.text('title') !== undefined && values.operands.length > 1)
      throw new CliError('--title is for one file.', 'Upload the files one by one, or leave --title out: they are called like the files.');
    const shape = shapeOf(call);
    const client = await call.client();
    const about = { ...shape, channel: await call.namedChannel(client) };
    const uploads: Outcome[] = [];
    for (const file of values.operands) {
      const outcome = await outcomeOf(call, client, file, about);
      uploads.push(outcome);
      if (!call.isJson) tell(call, outcome);
    }
    if (call.isJson) call.answer({ uploads }, () => {});
    const failed = uploads.find(({ error }) => error !== null)?.error;
    if (failed) throw new Told(failed.exitCode);
  },
};

function shapeOf({ values }: Call) {
  return { publish: !values.flag('draft'), releaseDate: values.time('release'), contentType: values.choice<ContentType>('type') };
}

function wishesOf({ values }: Call) {
  return { title: values.text('title'), summary: values.text('summary'), visibility: values.choice<Visibility>('visibility') };
}

/** Uploads a file. A failure is part of the outcome, so that the files after it are uploaded all the same; Ctrl-C ends everything. */
async function outcomeOf(call: Call, client: Client, file: string, about: FileUpload['about']): Promise<Outcome> {
  const usualTitle = basename(file, extname(file));
  const line = new ProgressLine(call.err, basename(file), call.isQuiet || call.isJson);
  const remark = (text: string): void => {
    line.end();
    call.remark(text);
  };
  try {
    const { url } = await call.account();
    const { contentId, content } = await uploadFile(client, {
      file,
      kept: await KeptUpload.of(call.env, url, file),
      about,
      usualTitle,
      wishes: wishesOf(call),
      signal: call.signal,
      onProgress: (progress) => line.show(progress),
      onDisconnect: () => remark('The connection broke; trying again.'),
      onRemark: remark,
    });
    line.end();
    const facts = { title: content?.metadata.title ?? usualTitle, status: content?.status ?? null, url: watchAddress(url, contentId) };
    return { file, contentId, ...facts, error: null };
  } catch (error) {
    line.end();
    if (error instanceof Interrupted) {
      call.remark('Interrupted. Run the same command again to continue.');
      throw error;
    }
    return { file, contentId: null, title: null, status: null, url: null, error: uploadFailure(error) };
  }
}

/** An upload outlives a platform that stays away. */
function uploadFailure(error: unknown): Failure {
  const failure = failureOf(error);
  if (failure.exitCode !== EXIT.unreachable) return failure;
  return { ...failure, suggestedFix: 'Check the connection, then run the same command again: it continues.' };
}

function tell({ out, err }: Call, { file, title, status, url, error }: Outcome): void {
  if (error === null) out.line(`${out.style('green', '✔')} ${title} (${status}): ${url}`);
  else tellFailure(err, error, file);
}

import { answerCalls } from '../platform/threads/answer-calls.ts';
import { boundedMarkdown } from './bounded-markdown.ts';
import { renderMarkdown } from './render-markdown.ts';

answerCalls((markdown: string) => renderMarkdown(boundedMarkdown(markdown)).body.text);

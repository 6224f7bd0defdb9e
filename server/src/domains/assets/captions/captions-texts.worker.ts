import { answerCalls } from '../../../platform/threads/answer-calls.ts';
import { type CaptionsCall, convertCaptions } from './convert-captions.ts';

answerCalls((call: CaptionsCall) => convertCaptions(call));

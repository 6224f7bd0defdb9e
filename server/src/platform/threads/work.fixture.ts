import { answerCalls } from './answer-calls.ts';

export type FixtureCall =
  | { readonly kind: 'count'; readonly n: number }
  | { readonly kind: 'compute'; readonly ms: number }
  | { readonly kind: 'fail' }
  | { readonly kind: 'fill' };

let sum = 0;

answerCalls((call: FixtureCall) => {
  if (call.kind === 'fail') throw new Error('It failed.');
  if (call.kind === 'fill') {
    // In small parts: where one object is larger than the heap, Node ends the process.
    let last: object = {};
    for (;;) last = { last };
  }
  if (call.kind === 'count') sum += call.n;
  else for (const end = performance.now() + call.ms; performance.now() < end; );
  return sum;
});

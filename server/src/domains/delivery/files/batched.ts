/** Questions that one call answers at most. */
const MOST = 200;

/**
 * Asks together what is asked within one turn of the event loop: requests that arrive together cost one query. `answer`
 * returns an answer for each question, in their order.
 */
export function batched<Question, Answer>(
  answer: (questions: readonly Question[]) => Promise<readonly Answer[]>,
): (question: Question) => Promise<Answer> {
  interface Batch {
    readonly questions: Question[];
    readonly answers: Promise<readonly Answer[]>;
  }
  let open: Batch | null = null;
  const start = (): Batch => {
    const questions: Question[] = [];
    const answers = new Promise<void>((turn) => setImmediate(turn)).then(() => {
      if (open?.questions === questions) open = null;
      return answer(questions);
    });
    return { questions, answers };
  };
  return async (question) => {
    if (open === null || open.questions.length === MOST) open = start();
    const { questions, answers } = open;
    const place = questions.push(question) - 1;
    return (await answers)[place] as Answer; // one for each question
  };
}

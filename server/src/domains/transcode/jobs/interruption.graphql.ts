import type { Graph } from '../../../gql/index.ts';
import { localized } from '../../../kernel/languages/catalogs.ts';
import type { Language } from '../../../kernel/languages/languages.ts';
import { plural, type Text, t } from '../../../kernel/languages/message.ts';

/** As `interruptionOf` selects it. */
export interface StoredInterruption {
  readonly state: 'AGAIN' | 'APART' | 'ALONE';
  readonly count: number;
}

/** Declares JobInterruption. */
export function declareJobInterruption(graph: Graph) {
  const JobInterruptionState = graph.builder.enumType('JobInterruptionState', {
    description: 'What happens to a job whose worker died.',
    values: {
      CONTINUING: { description: 'It goes on by itself, for a day after the first interruption.' },
      SET_APART: {
        description:
          'Several workers died while they worked on it, and other work did not: it is tried once more, alone.',
      },
    },
  });
  return graph.object('JobInterruption', {
    description: 'Interruptions of a job: a worker died or was cut off. They are no failures of the job.',
    fields: (f) => ({
      state: f.value({ type: JobInterruptionState, description: 'What happens to it.' }),
      count: f.value({ type: 'Int', description: 'How often it was interrupted.' }),
      reason: f.value({
        type: 'String',
        description: 'The same in a sentence or two, in the language of the request.',
      }),
    }),
  });
}

/** An interruption as JobInterruption. Pure. */
export function describeInterruption({ state, count }: StoredInterruption, language: Language) {
  const shown = state === 'AGAIN' ? 'CONTINUING' : 'SET_APART';
  return { state: shown, count, reason: localized(reasonOf(state, count), language) };
}

function reasonOf(state: StoredInterruption['state'], count: number): Text {
  if (state === 'ALONE')
    return t`The server's process ended ${plural(count, { one: 'once', other: '# times' })} while it worked on this; it
      is being tried once more, alone.`;
  if (state === 'APART')
    return t`The server's process ended ${plural(count, { one: 'once', other: '# times' })} while it worked on this, but
      not with other work. It is tried once more, alone, as soon as the server has run for a minute without
      interruptions.`;
  return t`The server was interrupted ${plural(count, { one: 'once', other: '# times' })} while it worked on this. It
    goes on by itself.`;
}

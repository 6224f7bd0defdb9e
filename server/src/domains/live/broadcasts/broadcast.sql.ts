import { OPEN_STATES } from './broadcast-states.ts';

/** SQL: a column of the broadcast that the live input `input` receives; null without one. */
export function openBroadcastOf(input: string, column: string): string {
  return `(select b.${column} from broadcasts b where b.input_id = ${input}.id and b.state in ${OPEN_STATES})`;
}

import { definePlayer } from './element.ts';

export { ReelgraphPlayer } from './element.ts';

definePlayer();

import { featuresOff } from '../lib/site.ts';
import type { ServerFeature } from './generated/operations.gen.ts';

/** Whether operators left a feature switched on. */
export const isSwitchedOn = (feature: ServerFeature): boolean => !featuresOff().includes(feature);

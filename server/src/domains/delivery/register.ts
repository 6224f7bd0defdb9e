import type { SwitchedOff } from '../../kernel/features.ts';
import type { Platform } from '../../platform/platform.ts';
import type { Route } from '../../platform/routing.ts';
import type { FileGenerator } from './files/generated-media.ts';
import { mediaRoutes } from './media.routes.ts';
import { playbackRoutes } from './playback/playback.routes.ts';
import { shareLinkRoutes } from './playback/share-link.routes.ts';

export interface DeliveryDependencies {
  /** Generators of files below /media/ from higher domains. */
  readonly files?: readonly FileGenerator[];
  /** None by default. */
  readonly switchedOff?: SwitchedOff;
}

/** Where files are sent from: everything below /media/, and playback with tokens. */
export function deliveryRoutes(
  platform: Pick<Platform, 'config' | 'db' | 'clock' | 'secrets' | 'store' | 'log'>,
  dependencies: DeliveryDependencies,
): Route[] {
  return [...mediaRoutes(platform, dependencies), ...playbackRoutes(platform), ...shareLinkRoutes(platform)];
}

import { orderWaveform } from '../../transcode/index.ts';
import type { ContentTarget } from '../contents/content-commands.store.ts';
import { lockContent } from '../contents/contents.store.ts';
import { requireVideo } from '../enhancement/require-video.ts';
import type { Actor, CatalogServices } from '../services.ts';

/**
 * Has the waveform of the sound of the account's content made, unless it is there or being made. Returns the id of the
 * content.
 * @throws AppError for the content, and INVALID_INPUT where it has no sound.
 */
export function createContentWaveform(tools: CatalogServices, actor: Actor, content: ContentTarget): Promise<string> {
  return tools.db.transaction(async (tx) => {
    const { id } = requireVideo(await lockContent(tx, content, actor.scope), content);
    await orderWaveform(tools, tx, id, 'id');
    return id;
  });
}

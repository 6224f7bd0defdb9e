import type { Platform } from '../../platform/platform.ts';
import { type Category, type CategoryModel, learnCategories } from './category-model.ts';
import { listCategories, readModel, type StoredModel } from './virality.store.ts';

/** The models for predictions. */
export interface CurrentModel {
  /** Null before the first training. */
  readonly stored: StoredModel | null;
  readonly categories: readonly Category[];
  /** From the stored model, or initially from the names of categories. */
  readonly words: CategoryModel;
}

/** Maximum delay before a new model is used: it changes once a day, and loading it takes longer than predicting. */
const REMEMBER_MS = 60_000;

/** The current model, reloaded periodically. */
export class ModelReader {
  readonly #platform: Pick<Platform, 'db' | 'clock'>;
  #known: { readonly untilMs: number; readonly model: Promise<CurrentModel> } | null = null;

  constructor(platform: Pick<Platform, 'db' | 'clock'>) {
    this.#platform = platform;
  }

  current(): Promise<CurrentModel> {
    const nowMs = this.#platform.clock.now();
    if (this.#known && this.#known.untilMs > nowMs) return this.#known.model;
    const model = this.#read();
    this.#known = { untilMs: nowMs + REMEMBER_MS, model };
    model.catch(() => {
      this.#known = null;
    });
    return model;
  }

  async #read(): Promise<CurrentModel> {
    const { db } = this.#platform;
    const [stored, categories] = await Promise.all([readModel(db), listCategories(db)]);
    return { stored, categories, words: stored?.parameters.categories ?? (await learnCategories([], categories)) };
  }
}

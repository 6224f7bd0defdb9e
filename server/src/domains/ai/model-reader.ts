import type { Platform } from '../../platform/platform.ts';
import { type Category, type CategoryModel, learnCategories } from './category-model.ts';
import { listCategories, readModel, type StoredModel } from './virality.store.ts';

/** What predictions are made with. */
export interface CurrentModel {
  /** Null before the first training. */
  readonly stored: StoredModel | null;
  readonly categories: readonly Category[];
  /** Of the stored model; before there is one, of the names of categories alone. */
  readonly words: CategoryModel;
}

/** A new model is in use after so long at the latest: it changes once a day, and reading it takes longer than predicting by it. */
const REMEMBER_MS = 60_000;

/** The model in use, read once in a while. */
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

import { type OpenGraphModel, openGraphModel } from '../ml/gfm-link/reading.ts';

/** An open version of the graph model, and the function by which its reader releases it. */
export type Acquired = { readonly model: OpenGraphModel; release(): void };

/**
 * Opens versions of the graph model for one thread. All readers of a folder share one open model, which is dropped when
 * the last reader releases it.
 */
export function shareGraphModels(): (folder: string) => Promise<Acquired> {
  const shared = new Map<string, { readonly opening: Promise<OpenGraphModel>; readers: number }>();
  return async (folder) => {
    const own = shared.get(folder) ?? { opening: openGraphModel(folder), readers: 0 };
    shared.set(folder, own);
    own.readers++;
    const release = () => {
      own.readers--;
      if (own.readers === 0) shared.delete(folder);
    };
    try {
      return { model: await own.opening, release };
    } catch (error) {
      release();
      throw error;
    }
  };
}

/** Small versions of the graph model released to a service under test. */
import { join } from 'node:path';
import { within } from '../../lib/storage/within.ts';
import { type FactStore, writeStore } from '../../ml/gfm/facts/store.ts';
import { fitEncoder } from '../../ml/gfm/fit.ts';
import { openFactGraph } from '../../ml/gfm/graph.ts';
import { dayAt, smallSizes } from '../../ml/gfm/samples.ts';
import { saveGfm } from '../../ml/gfm/version.ts';
import type { App } from '../app.ts';
import { gfmFolder, publishGfm } from './publish.ts';

/** Releases versions `one` and `two` of a store, which differ in what they learned from, and leaves their folders under `folder`. Returns their ids. */
export async function releaseTwo({ db, storage }: Pick<App, 'db' | 'storage'>, store: FactStore, folder: string) {
  await writeStore(join(folder, 'store'), store);
  const release = async (name: string, until: number) => {
    const fitted = fitEncoder(openFactGraph(store), { until, sizes: smallSizes });
    await saveGfm(join(folder, name), join(folder, 'store'), fitted, { name, until, generatedAt: 0 });
    return (await publishGfm(db, within(storage, gfmFolder), join(folder, name))).id;
  };
  return { one: await release('one', dayAt(300)), two: await release('two', dayAt(500)) };
}

/** Small versions of the graph model released to a service under test. */
import { join } from 'node:path';
import { within } from '../../../src/lib/storage/within.ts';
import { type FactStore, writeStore } from '../../../src/ml/gfm/facts/store.ts';
import { fitEncoder } from '../../../src/ml/gfm/fit.ts';
import { openFactGraph } from '../../../src/ml/gfm/graph.ts';
import { saveGfm } from '../../../src/ml/gfm/version.ts';
import type { App } from '../../../src/resources/app.ts';
import { gfmFolder, publishGfm } from '../../../src/resources/gfm-versions/publish.ts';
import { dayAt, smallSizes } from './gfm.ts';

/**
 * Releases versions `one` and `two` of a store, which differ in what they learned from, and leaves their folders under
 * `folder`. Returns their ids.
 */
export async function releaseTwo({ db, storage }: Pick<App, 'db' | 'storage'>, store: FactStore, folder: string) {
  await writeStore(join(folder, 'store'), store);
  const release = async (name: string, until: number) => {
    const fitted = fitEncoder(openFactGraph(store), { until, sizes: smallSizes });
    await saveGfm(join(folder, name), join(folder, 'store'), fitted, { name, until, generatedAt: 0 });
    return (await publishGfm(db, within(storage, gfmFolder), join(folder, name))).id;
  };
  return { one: await release('one', dayAt(300)), two: await release('two', dayAt(500)) };
}

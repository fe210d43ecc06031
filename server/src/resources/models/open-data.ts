import { fileURLToPath } from 'node:url';
import type { Rows } from '../../lib/files/column.ts';
import { openThread, type Thread } from '../../lib/threads/thread.ts';
import type { Factors } from '../../ml/explain/factors.ts';
import type { PredictOptions } from '../../ml/inference/predict.ts';
import type { Field } from '../../ml/inference/schema.ts';
import type { Answers } from './answers.ts';

/** A version in the thread of its data. */
export type ServedVersion = {
  readonly inputs: readonly Field[];
  readonly outputs: readonly Field[];
  /** As `OpenVersion` does. Throws Failure 'unavailable' when the thread ends meanwhile. */
  predict(rows: Rows, options: PredictOptions): Promise<Rows>;
  explain(rows: Rows, options: PredictOptions): Promise<Factors[]>;
};

/** The data of a workspace at one moment, open in a thread of their own, and the versions opened over them. */
export type OpenData = {
  /** Days with an event, ascending, since 1970 on the clock of the data. */
  readonly eventDays: Int32Array;
  /** Opens a version once; `folder` says where it lies. Throws Failure as `openVersion` of ml does. */
  version(id: string, folder: () => Promise<string>): Promise<ServedVersion>;
  readonly ended: Promise<void>;
  close(): Promise<void>;
};

const versionsMax = 64;
/** Whoever found something before it made room for another has asked it by then. */
const closeAfterMs = 60_000;
const script = fileURLToPath(new URL('answers.ts', import.meta.url));

/** Opens frozen tables, by the names of a dictionary or none. */
export async function openData(files: { readonly frozen: string; readonly names: string | null }): Promise<OpenData> {
  const thread = openThread<Answers>(script);
  const versions = openCache<OpenVersion>(versionsMax);
  try {
    const eventDays = await thread.call('openTables', files);
    return {
      eventDays,
      version: (id, folder) => versions.open(id, async () => openOne(thread, await folder())),
      ended: thread.ended,
      close: () => thread.close(),
    };
  } catch (error) {
    await thread.close();
    throw error;
  }
}

type OpenVersion = ServedVersion & { close(): void };

async function openOne(thread: Thread<Answers>, folder: string): Promise<OpenVersion> {
  const { version, inputs, outputs } = await thread.call('openVersion', folder);
  return {
    inputs,
    outputs,
    predict: (rows, options) => thread.call('predict', { version, rows, options }),
    explain: (rows, options) => thread.call('explain', { version, rows, options }),
    close: () => void thread.call('closeVersion', version).catch(() => {}),
  };
}

type Kept = {
  /** Where it may end by itself. */
  readonly ended?: Promise<void>;
  close(): unknown;
};

export type Cache<T> = {
  open(key: string, open: () => Promise<T>): Promise<T>;
  /** Closes all that is kept. */
  close(): Promise<void>;
};

/**
 * Opens each key once, keeps the `most` last used, and closes the others a while after they made room. What has ended is
 * opened anew.
 */
export function openCache<T extends Kept>(most: number): Cache<T> {
  const kept = new Map<string, Promise<T>>();
  return {
    open(key, open) {
      const known = kept.get(key);
      if (known) {
        kept.delete(key);
        kept.set(key, known);
        return known;
      }
      const opening = open();
      kept.set(key, opening);
      const forget = (): void => {
        if (kept.get(key) === opening) kept.delete(key);
      };
      opening.then(({ ended }) => ended?.then(forget), forget);
      if (kept.size > most) {
        const [oldest, value] = kept.entries().next().value!;
        kept.delete(oldest);
        setTimeout(() => value.then((one) => one.close()).catch(() => {}), closeAfterMs).unref();
      }
      return opening;
    },
    async close() {
      await Promise.allSettled([...kept.values()].map(async (value) => (await value).close()));
      kept.clear();
    },
  };
}

import { fileURLToPath } from 'node:url';
import type { Rows } from '../lib/files/column.ts';
import { openThread, type Thread } from '../lib/threads/thread.ts';
import type { Domain, Unchangeable } from '../ml/counterfactuals/domains.ts';
import type { AskedMoments } from '../ml/inference/anchors.ts';
import type { AskedLineage, ToldLineage } from '../ml/inference/lineage.ts';
import type { PredictOptions } from '../ml/inference/predict.ts';
import type { MissingInputs } from '../ml/version/input-requests.ts';
import type { Field } from '../ml/version/schema.ts';
import type { Subjects } from '../ml/version/subjects.ts';
import type { EventDays } from './event-days.ts';
import { keepOpen } from './keep-open.ts';
import { openCopies } from './open-stored.ts';
import type { Answers, VersionPlace } from './thread.ts';

/** An open version as far as it answers predictions. */
export type AnsweringVersion = {
  readonly inputs: readonly Field[];
  /** Those of them that name somebody by CPF or CNPJ. */
  readonly documents: ReadonlySet<string>;
  readonly missing: MissingInputs;
  readonly outputs: readonly Field[];
  /** The first case that it learned from, microseconds; null: not known. */
  readonly learnedFrom: number | null;
  /** The inputs that say whom a row is about. */
  readonly subjects: Subjects;
  /**
   * Like `predict` of `OpenVersion`, run in the thread. Throws Failure 'unavailable' when the thread ends meanwhile.
   */
  predict(rows: Rows, options: PredictOptions): Promise<Rows>;
};

/** A version that is open in a serving thread: it also tells where its answers change. */
export type ServedVersion = AnsweringVersion & {
  /** Like `cellsOf` of `OpenVersion`, and `domainsOf` of it: what the search for counterfactuals asks. */
  cellsOf(rows: Rows, moments: AskedMoments): Promise<readonly string[]>;
  domainsOf(names: readonly string[], until: number): Promise<readonly (Domain | Unchangeable)[]>;
};

/** A version that also tells what its answers come from. */
export type TracedVersion = ServedVersion & {
  /** Like `lineage` of `OpenVersion`, in the thread as well. */
  lineage(rows: Rows, asked: AskedLineage): Promise<ToldLineage>;
};

/** A snapshot of a workspace, open in a serving thread of its own, and the versions opened over it. */
export type OpenData = {
  readonly eventDays: EventDays;
  /**
   * Runs `work` with a version, which is opened first if it is not open; `place` says in which folder its files are.
   * Throws Failure as `openVersion` of ml does.
   */
  useVersion<R>(
    id: string,
    place: () => Promise<VersionPlace>,
    work: (version: TracedVersion) => Promise<R>,
  ): Promise<R>;
  readonly ended: Promise<void>;
  close(): Promise<void>;
};

const versionsMax = 64;
const script = fileURLToPath(new URL('thread.ts', import.meta.url));

/** Opens frozen tables in a new serving thread. `names` is the file of the dictionary of names; null without one. */
export async function openData(files: { readonly frozen: string; readonly names: string | null }): Promise<OpenData> {
  const thread = openThread<Answers>(script);
  const eventDays = await thread.begin('openTables', files);
  const versions = keepOpen<OpenVersion>(versionsMax);
  return {
    eventDays,
    useVersion: (id, place, work) => versions.use(id, () => openOne(thread, place), work),
    ended: thread.ended,
    close: () => thread.close(),
  };
}

type OpenVersion = TracedVersion & { close(): void };

async function openOne(thread: Thread<Answers>, place: () => Promise<VersionPlace>): Promise<OpenVersion> {
  const { version, inputs, documents, outputs, learnedFrom, missing, subjects } = await openCopies(async () =>
    thread.call('openVersion', await place()),
  );
  return {
    inputs,
    documents,
    missing,
    outputs,
    learnedFrom,
    subjects,
    predict: (rows, options) => thread.call('predict', { version, rows, options }),
    cellsOf: (rows, moments) => thread.call('cellsOf', { version, rows, moments }),
    domainsOf: (names, until) => thread.call('domainsOf', { version, names, until }),
    lineage: (rows, asked) => thread.call('lineage', { version, rows, asked }),
    close: () => void thread.call('closeVersion', version).catch(() => {}),
  };
}

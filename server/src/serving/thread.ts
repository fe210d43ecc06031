// The serving thread: predicts over one snapshot of one workspace. Opening and predicting run here, so that they hold
// up no other request.
import { assert } from '../lib/failure.ts';
import type { Rows } from '../lib/files/column.ts';
import { serveCalls } from '../lib/threads/serve.ts';
import { type Domain, domainsOf, type Unchangeable } from '../ml/counterfactuals/domains.ts';
import type { Tables } from '../ml/graph/tables.ts';
import type { AskedMoments } from '../ml/inference/anchors.ts';
import type { AskedLineage, ToldLineage } from '../ml/inference/lineage.ts';
import { type OpenVersion, openVersion, type PredictOptions } from '../ml/inference/predict.ts';
import { openTables } from '../ml/lake/open.ts';
import { missingTextsOf } from '../ml/version/input-requests.ts';
import { subjectsOf } from '../ml/version/subjects.ts';
import { type EventDays, eventDaysOf } from './event-days.ts';
import { shareGraphModels } from './share-graph-models.ts';

/** `version`: the number that `openVersion` returned. */
type Question = { readonly version: number; readonly rows: Rows; readonly options: PredictOptions };

type AskedCells = { readonly version: number; readonly rows: Rows; readonly moments: AskedMoments };
type AskedDomains = { readonly version: number; readonly names: readonly string[]; readonly until: number };
type LineageQuestion = { readonly version: number; readonly rows: Rows; readonly asked: AskedLineage };

/** The local folders of a version and of the graph-model version that it reads; the latter is null if it reads none. */
export type VersionPlace = { readonly folder: string; readonly graphModel: string | null };

const emptyRow: Rows = { rows: 1, columns: new Map() };
const warmUp: PredictOptions = { asOf: 0, dataUntil: 0, factors: 1, language: 'en', outside: true };

let tables: Tables | null = null;
let last = 0;
const versions = new Map<number, OpenVersion>();
const acquire = shareGraphModels();

const calls = {
  async openTables({ frozen, names }: { frozen: string; names: string | null }): Promise<EventDays> {
    tables = await openTables(frozen, names);
    return eventDaysOf(tables.values());
  },
  async openVersion({ folder, graphModel }: VersionPlace) {
    assert(tables, 'tables are opened first');
    const opened = await openReading(folder, tables, graphModel);
    // The first answer takes longest, since all histories are made for it: an empty row has it instead of a request.
    opened.predict(emptyRow, warmUp);
    last++;
    versions.set(last, opened);
    const { inputs, documents, outputs, learnedFrom } = opened;
    const { version } = opened;
    return {
      version: last,
      inputs,
      documents,
      outputs,
      learnedFrom,
      missing: missingTextsOf(version),
      subjects: subjectsOf(version),
    };
  },
  closeVersion(version: number): void {
    versions.get(version)?.close();
    versions.delete(version);
  },
  predict: ({ version, rows, options }: Question): Rows => versionOf(version).predict(rows, options),
  cellsOf: ({ version, rows, moments }: AskedCells): string[] => versionOf(version).cellsOf(rows, moments),
  domainsOf: ({ version, names, until }: AskedDomains): (Domain | Unchangeable)[] =>
    domainsOf(versionOf(version), names, until),
  lineage: ({ version, rows, asked }: LineageQuestion): ToldLineage => versionOf(version).lineage(rows, asked),
};
export type Answers = typeof calls;

/** Opens a version with the graph model that it reads. Closing the version releases the graph model. */
async function openReading(folder: string, over: Tables, graphModel: string | null): Promise<OpenVersion> {
  if (graphModel === null) return openVersion(folder, over);
  const { model, release } = await acquire(graphModel);
  try {
    const opened = await openVersion(folder, over, { model });
    return {
      ...opened,
      close() {
        opened.close();
        release();
      },
    };
  } catch (error) {
    release();
    throw error;
  }
}

function versionOf(version: number): OpenVersion {
  const opened = versions.get(version);
  assert(opened, `version ${version} is open`);
  return opened;
}

serveCalls(calls);

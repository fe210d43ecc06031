import { readFile } from 'node:fs/promises';
import type { Cohort } from '../../ml/calibration/cohort.ts';
import type { Interval } from '../../ml/calibration/interval.ts';
import { type ObservedField, type ObservedVersion, observedFields } from '../../ml/monitoring/observed.ts';
import type { Promised } from '../../ml/monitoring/performance.ts';
import type { Objective } from '../../ml/statistics/objective.ts';
import type { FitReport } from '../../ml/training/report.ts';
import { programFile, reportFile } from '../../ml/version/report-file.ts';
import type { App } from '../app.ts';
import type { VersionRow } from './model.ts';

type Stored = Pick<VersionRow, 'storage_prefix' | 'files'>;

/** An observed field of a version, with what its output was worth when it was made. */
export type PromisedField = ObservedField & {
  readonly promised: Promised;
  /** The tenths of what it said of rows that it had not learned from; null where they are no numbers of the field. */
  readonly tenths: readonly number[] | null;
};

/** The fields of a version's answers whose outcomes can be observed, the deciding one first. */
export async function readObservedFields(app: Pick<App, 'storage'>, version: Stored): Promise<ObservedField[]> {
  const stored = await readStored<Kept>(app, version, programFile);
  const outputs = stored.outputs.map(({ name, objective, aim }) => ({ name, objective: (objective ?? aim)! }));
  return observedFields({ ...stored, outputs });
}

/** As `readObservedFields`, with what is promised of each. Throws Failure 'object_damaged'. */
export async function readPromisedFields(app: Pick<App, 'storage'>, version: Stored): Promise<PromisedField[]> {
  const fields = await readObservedFields(app, version);
  const { outputs } = await readStored<Kept>(app, version, programFile);
  const report = await readStored<Pick<FitReport, 'outputs'>>(app, version, reportFile);
  return fields.map((field) => {
    const { cohort, interval } = outputs[field.output];
    const measured = report.outputs[field.output]?.out_of_fold;
    const isAuroc = report.outputs[field.output]?.metric === 'auroc';
    return {
      ...field,
      promised: {
        auroc: isAuroc ? (measured?.value ?? null) : null,
        auroc_error: isAuroc ? (measured?.standard_error ?? null) : null,
        mae: measured?.others.mae ?? null,
        swing: interval?.kind === 'rate' ? interval.bounds.swing : 0,
      },
      tenths: field.kind === 'multiclass' ? null : tenthsOf(cohort),
    };
  });
}

function tenthsOf({ percentiles }: Cohort): number[] {
  return [...new Set(Array.from({ length: 9 }, (_, k) => percentiles[10 * (k + 1)]))];
}

/** Our own files, in which numbers that rows could not tell are null. */
async function readStored<T>({ storage }: Pick<App, 'storage'>, version: Stored, file: string): Promise<T> {
  const path = await storage.localPath(`${version.storage_prefix}${file}`, version.files[file]);
  return JSON.parse(await readFile(path, 'utf8')) as T;
}

/** `aim`: the objective, in versions of earlier releases. */
type Kept = Omit<ObservedVersion, 'outputs'> & {
  readonly outputs: readonly {
    readonly name: string;
    readonly objective?: Objective;
    readonly aim?: Objective;
    readonly cohort: Cohort;
    readonly interval: Interval | null;
  }[];
};

import { type OpenGraphModel, openGraphModel } from '../../../ml/gfm-link/reading.ts';
import type { Tables } from '../../../ml/graph/tables.ts';
import { type OpenVersion, openVersion } from '../../../ml/inference/predict.ts';
import { openTables } from '../../../ml/lake/open.ts';
import { type EventDays, eventDaysOf } from '../../../serving/event-days.ts';
import { type KeptOpen, keepOpen } from '../../../serving/keep-open.ts';
import type { OpenTarget } from '../../../serving/rows/targets.ts';

/** The local files that a unit is scored with. */
export type TargetsTask = {
  /** The frozen tables, the dictionary of the names in them, and an id for both. */
  readonly data: { readonly id: string; readonly frozen: string; readonly identifiers: string | null };
  readonly targets: readonly TargetPlace[];
};

type TargetPlace = {
  readonly modelId: string;
  readonly versionId: string;
  readonly folder: string;
  /** The GFM version that the version reads, and its local folder. */
  readonly graphModel: { readonly id: string; readonly folder: string } | null;
};

type OpenData = {
  readonly tables: Tables;
  readonly eventDays: EventDays;
  readonly versions: KeptOpen<OpenVersion>;
  close(): Promise<void>;
};

/**
 * One, because consecutive units mostly belong to one batch, and tables of two workspaces may not fit in memory
 * together.
 */
const dataMax = 1;
const versionsMax = 16;
const graphModelsMax = 2;

/** What this process keeps open between units. Graph models are shared by all workspaces. */
const kept = keepOpen<OpenData>(dataMax);
const graphModels = keepOpen<OpenGraphModel & { close(): void }>(graphModelsMax);

/**
 * Runs `work` with the opened targets of a unit, in the task's order, the days of their data, and these. Throws Failure
 * as `openVersion` does.
 */
export function useTargets<R>(
  { data, targets }: TargetsTask,
  work: (
    targets: readonly (OpenTarget & { readonly opened: OpenVersion })[],
    eventDays: EventDays,
    tables: Tables,
  ) => Promise<R>,
): Promise<R> {
  return kept.use(
    data.id,
    () => openData(data),
    ({ tables, eventDays, versions }) =>
      versions.useAll(
        targets.map((target) => ({ key: target.versionId, open: () => openTarget(target, tables) })),
        (opened) =>
          work(
            targets.map(({ modelId, versionId }, at) => ({
              opened: opened[at],
              told: { model_id: modelId, version_id: versionId },
            })),
            eventDays,
            tables,
          ),
      ),
  );
}

async function openData({ frozen, identifiers }: TargetsTask['data']): Promise<OpenData> {
  const tables = await openTables(frozen, identifiers);
  const versions = keepOpen<OpenVersion>(versionsMax);
  return { tables, eventDays: eventDaysOf(tables.values()), versions, close: () => versions.close() };
}

/** Opens a version on tables, with the graph model that it reads. Throws Failure as `openVersion` does. */
export function openTarget({ folder, graphModel }: TargetPlace, tables: Tables): Promise<OpenVersion> {
  if (graphModel === null) return openVersion(folder, tables);
  return graphModels.use(
    graphModel.id,
    async () => ({ ...(await openGraphModel(graphModel.folder)), close() {} }),
    (model) => openVersion(folder, tables, { model }),
  );
}

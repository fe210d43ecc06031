import { type Context, systemContext } from '../access/context.ts';
import { refuse } from '../errors.ts';
import { Failure } from '../lib/failure.ts';
import { wallClock } from '../lib/time-zone.ts';
import { sayNotice } from '../ml/contract/notices.ts';
import { domainsOf } from '../ml/counterfactuals/domains.ts';
import { type Export, readExport } from '../ml/export/export.ts';
import { openGraphModel } from '../ml/gfm-link/reading.ts';
import { loadTables } from '../ml/graph/load.ts';
import type { Tables } from '../ml/graph/tables.ts';
import { type OpenVersion, openVersion } from '../ml/inference/predict.ts';
import { type OpenRfm, openEncoder, openRfm } from '../ml/rfm/open.ts';
import { missingTextsOf } from '../ml/version/input-requests.ts';
import { subjectsOf } from '../ml/version/subjects.ts';
import type { Answering } from '../resources/embeddings/about.ts';
import { byKeys } from '../resources/embeddings/by-keys.ts';
import type { Predicting } from '../resources/predictions/predict.ts';
import { eventDaysOf } from '../serving/event-days.ts';
import type { ServedVersion } from '../serving/open-data.ts';
import { unknownName } from '../serving/unserved.ts';

/** An export, opened over the customer's own tables. */
export type Home = {
  readonly exported: Export;
  readonly tables: Tables;
  /** The opened versions, by `<model>/<version>`. */
  readonly versions: ReadonlyMap<string, OpenVersion>;
  /** The encoders by the snapshot of their vectors: the export's encoder, and those that its models bring along. */
  readonly encoders: ReadonlyMap<string, OpenRfm>;
};

/**
 * Opens an export over a folder of tables. Throws Failure as `readExport`, `loadTables`, `openGraphModel`, `openRfm`
 * and `openVersion` do.
 */
export async function openHome(folder: string, data: string, say: (line: string) => void): Promise<Home> {
  const exported = readExport(folder);
  const now = wallClock(exported.timeZone, Date.now()) * 1000;
  const { tables, report } = await loadTables(data, exported.contract, say, now);
  for (const warning of report.warnings) say(`warning: ${sayNotice(warning)}`);
  const model = exported.graphModel === undefined ? undefined : await openGraphModel(exported.graphModel);
  const rfm = await openRfm(exported.encoder, tables, model);
  const versions = new Map<string, OpenVersion>();
  for (const { modelId, versionId, folder } of exported.models)
    versions.set(`${modelId}/${versionId}`, await openVersion(folder, tables, { model }));
  const own = [...versions.values()].flatMap(({ version: { encoder, encoderSnapshot, contract } }) =>
    encoder ? [[encoderSnapshot!, openEncoder(encoder, contract, tables, model)] as const] : [],
  );
  const encoders = new Map([...own, [exported.modelSnapshot, rfm] as const]);
  return { exported, tables, versions, encoders };
}

/** Returns one of the encoders; the export's by default. Throws Failure 'not_found'. */
export function encoderAt({ exported, encoders }: Home, snapshot = exported.modelSnapshot) {
  const rfm = encoders.get(snapshot);
  if (rfm) return { snapshot, rfm };
  throw refuse('not_found', `there is no encoder ${snapshot} here; there are ${[...encoders.keys()].join(', ')}`);
}

/** Returns the version that an alias or version id names. Throws Failure 'not_found'. */
export function versionAt({ exported, versions }: Home, modelId: string, name: string) {
  const model = exported.models.find(
    (one) => one.modelId === modelId && (one.versionId === name || one.aliases.includes(name)),
  );
  if (!model) {
    const aliases = exported.models.flatMap((one) => one.aliases.map((alias) => `${one.modelId}/${alias}`));
    const others = exported.models.some((one) => one.modelId === modelId) ? '' : `; here are ${aliases.join(', ')}`;
    throw refuse('not_found', `${unknownName(modelId, name, aliases)}${others}`);
  }
  const opened = versions.get(`${modelId}/${model.versionId}`)!;
  return { model, opened, alias: model.versionId === name ? null : name };
}

/** The context of the only user of a local export. Nothing of the requests is stored. */
export function homeUser({ exported: { timeZone, language } }: Home): Context {
  const actor = { type: 'operator', id: null, label: 'home' } as const;
  return systemContext({ organizationId: '', workspaceId: '', timeZone, language }, actor);
}

/** Returns what the routes need to answer from an export instead of from the service. */
export function answerAtHome(home: Home): Answering & Predicting {
  const { exported, tables, encoders } = home;
  const keyed = new Map(
    [...encoders].map(([snapshot, rfm]) => [snapshot, byKeys(rfm, tables.get(rfm.entity)!, null)] as const),
  );
  const eventDays = eventDaysOf(tables.values());
  const served = new Map([...home.versions].map(([name, opened]): [string, ServedVersion] => [name, servedBy(opened)]));
  return {
    embeddings: {
      async use(_, asked, work) {
        const { snapshot: id, rfm } = encoderAt(home, asked.rfm_version_id);
        const { entity } = rfm;
        if (asked.entity !== undefined && asked.entity !== entity)
          throw refuse('no_encoder', `${id} is no encoder of ${asked.entity}, but of ${entity}`);
        const encoder = keyed.get(id)!;
        return work({
          version: { id, entity },
          embed: async (keys, at) => encoder.embed(keys, at),
          nearest: async (search) => encoder.nearest(search),
          layOut: async (most, at) => encoder.layOut(most, at),
        });
      },
    },
    graphEmbeddings: { embed: refuseGraph, nearest: refuseGraph },
    leaveTrail: async () => {},
    allowances: { require: async () => {} },
    serving: {
      async use(_, { model: modelId, name }, work) {
        const { model, alias } = versionAt(home, modelId, name);
        const { versionId } = model;
        const opened = served.get(`${modelId}/${versionId}`)!;
        const about = { modelId, versionId, alias, split: null, snapshotId: exported.modelSnapshot };
        return work({ ...about, opened, eventDays });
      },
      note() {},
    },
    // The permissions of `homeUser` never change.
    groupCommit: { commit: async () => ({ auth: 0, serving: 0, askedAt: 0 }) },
  };
}

async function refuseGraph(): Promise<never> {
  throw refuse('no_encoder', 'an export answers by its encoders alone; ask the service for vectors of the graph model');
}

function servedBy(opened: OpenVersion): ServedVersion {
  const { version, inputs, documents, outputs, learnedFrom, predict } = opened;
  return {
    inputs,
    documents,
    missing: missingTextsOf(version),
    outputs,
    learnedFrom,
    subjects: subjectsOf(version),
    predict: async (rows, options) => predict(rows, options),
    cellsOf: async (rows, moments) => opened.cellsOf(rows, moments),
    domainsOf: async (names, until) => domainsOf(opened, names, until),
  };
}

/** Splits `<model>/<alias>` into model and name. Throws Failure 'invalid'. */
export function readTarget(text: string): { modelId: string; name: string } {
  const [modelId, name, ...rest] = text.split('/');
  if (!modelId || !name || rest.length > 0)
    throw new Failure('invalid', `--model ${text} is not written <model>/<alias> or <model>/<version>`);
  return { modelId, name };
}

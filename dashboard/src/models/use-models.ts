import type { Schemas } from '@lastro/sdk';
import { useMemo, useState } from 'react';
import { useClient, useSession } from '../api/session.tsx';
import { useData } from '../api/use-data.ts';
import { useLanguage } from '../words/language.ts';

export type Model = Schemas['Model'];
export type Version = Schemas['ModelVersion'];
export type VersionSummary = Schemas['ModelVersionSummary'];
/** Something that happened to a version. */
export type VersionEvent = Schemas['Event'];

const dayMs = 24 * 60 * 60_000;
/** Of one model, as many as are shown. */
const versionsMax = 100;
const unansweredMs = 5_000;
const activityDays = 180;
const eventsMax = 2_000;

/** The models of the workspace, to choose from and to say their names. */
export function useModelList(isOn = true) {
  const client = useClient();
  return useData(['models', 'names'], (signal) => client.models.list({ limit: 200 }, { signal }), { isOn });
}

/** The names of models by their ids; none for those who may not see models. */
export function useModelNames(): ReadonlyMap<string, string> {
  const { can } = useSession();
  const { data } = useModelList(can('view_models'));
  return useMemo(() => new Map(data?.data.map(({ id, name }) => [id, name])), [data]);
}

export function useModel(id: string) {
  const client = useClient();
  return useData(['models', id], (signal) => client.models.get(id, { signal }));
}

/** The versions of a model, newest first. */
export function useVersions(modelId: string | undefined, limit = versionsMax) {
  const client = useClient();
  return useData(
    ['models', modelId, 'versions', limit],
    (signal) => client.models.versions.list(modelId!, { limit }, { signal }).then(({ data }) => data),
    {
      isOn: modelId !== undefined,
      // Until one of them answers, as while the first is trained.
      everyMs: (found) => (found?.some(({ status }) => status === 'active') ? false : unansweredMs),
    },
  );
}

/** A version of a model, by its id or by an alias. */
export function useVersion(modelId: string | undefined, versionId: string | undefined) {
  const client = useClient();
  return useData(
    ['models', modelId, 'version', versionId],
    (signal) => client.models.versions.get(modelId!, versionId!, { signal }),
    { isOn: modelId !== undefined && versionId !== undefined },
  );
}

export function useVersionMetrics(modelId: string | undefined, versionId: string | undefined) {
  const client = useClient();
  return useData(
    ['models', modelId, 'metrics', versionId],
    (signal) => client.models.versions.getMetrics(modelId!, versionId!, { signal }),
    { isOn: modelId !== undefined && versionId !== undefined },
  );
}

const featuresMax = 1_000;
export type Feature = Schemas['ModelFeature'];

/** Everything that a version reads, most important first, in words of the page's language where there are such. */
export function useFeatures(modelId: string, versionId: string) {
  const client = useClient();
  const language = useLanguage();
  return useData(['models', modelId, 'features', versionId, language], async (signal) => {
    const features: Feature[] = [];
    const asked = { limit: 200, language };
    for await (const feature of client.models.versions.listFeatures(modelId, versionId, asked, { signal })) {
      features.push(feature);
      if (features.length >= featuresMax) break;
    }
    return features;
  });
}

/** What tells features apart: those of one code differ in how values become one, and over which time. */
export function keyOfFeature({ code, description, columns, path, aggregate, span }: Feature): string {
  return [code ?? description, aggregate, span, columns.join(), path.join()].join(' ');
}

const eventTypes = [
  'model-version-creation',
  'model-version-activation',
  'model-version-deactivation',
  'model-version-promotion',
  'model-version-demotion',
  'model-version-rollback',
] as const;
export type VersionEventType = (typeof eventTypes)[number];

/** What happened to the versions of a model, newest first: of all models together, the newest `eventsMax` are read. */
export function useActivity(modelId: string) {
  const client = useClient();
  return useData(['models', modelId, 'activity'], async (signal) => {
    const since = new Date(Date.now() - activityDays * dayMs).toISOString();
    const events: VersionEvent[] = [];
    let seen = 0;
    const asked = { type: eventTypes.join(','), since, newest_first: true, limit: 200 };
    for await (const event of client.events.list(asked, { signal })) {
      if (event.data.model_id === modelId) events.push(event);
      if (++seen >= eventsMax) break;
    }
    return events;
  });
}

/** How many predictions each model answered in the last 30 days; undefined for who may not know. */
export function useTraffic() {
  const client = useClient();
  const { can } = useSession();
  const [from] = useState(() => new Date(Date.now() - 30 * dayMs).toISOString());
  const { data } = useData(
    ['predictions', 'statistics', 'by-model'],
    (signal) => client.predictions.getStatistics({ bucket: 'all', from }, { signal }),
    { isOn: can('invoke_predictions') },
  );
  if (!data) return undefined;
  const counts = new Map<string, number>();
  for (const { model_id: id, predictions } of data.data.flatMap(({ versions }) => versions))
    if (id) counts.set(id, (counts.get(id) ?? 0) + predictions);
  return counts;
}

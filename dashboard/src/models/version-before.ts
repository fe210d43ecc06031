import type { VersionEvent, VersionSummary } from './use-models.ts';

/**
 * The version that had an alias before the one that has it now, by what happened, newest first; null where there is none
 * that could take it back.
 */
export function versionBefore(
  events: readonly VersionEvent[],
  alias: string,
  now: string,
  versions: readonly VersionSummary[],
): VersionSummary | null {
  const before = events.find(
    ({ type, data, resource_id: id }) =>
      type === 'model-version-promotion' && data.alias === alias && id !== now && versions.some((one) => one.id === id),
  );
  return versions.find(({ id, status }) => id === before?.resource_id && status === 'active') ?? null;
}

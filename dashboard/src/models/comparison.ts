import type { Model, VersionSummary } from './use-models.ts';

/** What is worth comparing first: the newest version with what production answers with, or with the one before. */
export function comparison(model: Model, rows: readonly VersionSummary[]) {
  const candidate = rows[0];
  const inUse = model.aliases.find(({ alias }) => alias === 'production')?.version_id;
  const base = inUse !== undefined && inUse !== candidate.id ? inUse : rows[1].id;
  return { base, candidate: candidate.id };
}

import type { Selectable } from 'kysely';
import { Type } from 'typebox';
import type { GfmVersions } from '../../schema/tables.ts';

export type GfmVersionRow = Selectable<GfmVersions>;

export const gfmVersionSchema = Type.Object({
  id: Type.String(),
  name: Type.String(),
  model_snapshot: Type.String({ description: 'Of every vector that it gives.' }),
  generated_at: Type.String(),
  is_synthetic: Type.Boolean({
    description: 'Whether it was learned from a made-up graph: it knows nobody who exists.',
  }),
  released_at: Type.String(),
  is_adopted: Type.Boolean({ description: 'Whether this workspace reads it.' }),
});

export function presentGfmVersion(row: GfmVersionRow, adopted: string | null) {
  return {
    id: row.id,
    name: row.name,
    model_snapshot: row.model_snapshot,
    generated_at: row.generated_at.toISOString(),
    is_synthetic: row.is_synthetic,
    released_at: row.released_at.toISOString(),
    is_adopted: row.id === adopted,
  };
}

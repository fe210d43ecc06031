import type { Selectable } from 'kysely';
import { Type } from 'typebox';
import { answerOf } from '../../api/named.ts';
import type { GfmVersions } from '../../schema/tables.ts';

export type GfmVersionRow = Selectable<GfmVersions>;

const gfmVersionExample = {
  id: 'gfm_0199f3a8c4d27b1e9c55d0a1b2c3d4e5',
  name: '2026.1',
  model_snapshot: 'gfm-3f0c2a9d51b7',
  generated_at: '2026-01-15T00:00:00.000Z',
  is_synthetic: false,
  released_at: '2026-01-20T09:30:00.000Z',
  is_adopted: true,
};

export const gfmVersionSchema = answerOf('GfmVersion', gfmVersionExample, {
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

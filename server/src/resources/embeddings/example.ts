import { embeddingColumns } from '../../ml/rfm/network.ts';

const about = {
  source: 'rfm',
  entity: 'customers',
  rfm_version_id: 'rfm_0199f3a8c4d27b1e9c55d0a1b2c3d4e5',
  as_of: '2026-02-01T02:59:59.999Z',
};
const metadata = {
  model_snapshot: 'rfm_0199f3a8c4d27b1e9c55d0a1b2c3d4e5',
  generated_at: '2026-02-01T12:00:00.000Z',
};

/** One known and one unknown entity, in the API document. The vector is shortened. */
export const embeddingsExample = {
  ...about,
  data: [
    {
      key: '11222333000181',
      vector: 'zczMPQAAAL8zM7M+…',
      ...metadata,
      dimension: embeddingColumns,
      data_coverage: 'full',
    },
    { key: '99888777000166', vector: null, ...metadata, dimension: embeddingColumns, data_coverage: 'none' },
  ],
};

/** The nearest neighbors of an entity, in the API document. */
export const neighborsExample = {
  ...about,
  ...metadata,
  data: [
    { key: '44555666000172', similarity: 0.93 },
    { key: '77888999000105', similarity: 0.88 },
  ],
};

/** Entities in two dimensions, in the API document. */
export const mapExample = {
  ...about,
  ...metadata,
  entities: 4_210,
  explained: [0.41, 0.22],
  data: [
    { key: '11222333000181', x: 0.412, y: -0.077 },
    { key: '44555666000172', x: 0.398, y: -0.061 },
  ],
};

const orderPlace = { table: 'orders', kind: 'data', key: 'O-17', row: 16, date: '2026-01-14', is_erased: false };
const orderSource = {
  ingestion_id: 'ing_0199f3a8c4d27b1e9c55d0a1b2c3d4e5',
  file_id: 'file_0199f3a8c4d27b1e9c55d0a1b2c3d4e5',
  path: '2026/orders.csv',
  row_number: 17,
};

/** The rows of one factor of an answer. */
export const predictionLineageExample = {
  prediction_id: 'prd_0199f3a8c4d27b1e9c55d0a1b2c3d4e5',
  model_id: 'mdl_0199f3a8c4d27b1e9c55d0a1b2c3d4e5',
  version_id: 'ver_0199f3a8c4d27b1e9c55d0a1b2c3d4e5',
  snapshot_id: 'snp_0199f3a8c4d27b1e9c55d0a1b2c3d4e5',
  as_of: '2026-02-01T02:59:59.999Z',
  factors: [
    {
      ...{ code: 'orders_amount', text: 'Mean amount of orders: 129.9 (usually 80); lowers the chance by 2 points' },
      ...{ contribution: -0.21, effect: -2, features: 1, rows: 1 },
    },
  ],
  data: [
    {
      code: 'orders_amount',
      description: 'mean amount of orders in the last 30 days',
      path: {
        focus: { kind: 'root' },
        read: {
          kind: 'number',
          events: { table: 'orders', via: ['customer_id'] },
          signal: { kind: 'column', path: [], column: 'amount' },
          ...{ span: { days: 30 }, aggregate: 'mean' },
        },
      },
      ...{ aggregate: 'mean', span: '30d', contribution: -0.21, value: 129.9, whole: null },
      subjects: [
        {
          ...{ table: 'customers', kind: 'data', key: '11222333000181', row: 3, date: '2020-02-29', is_erased: false },
          ...{ weight: 1, value: 129.9 },
        },
      ],
      ...{ rows_count: 1, is_truncated: false },
      rows: [
        {
          ...{ ...orderPlace, role: 'read', subject: 0, known_at: '2026-01-14', column: 'amount', value: 129.9 },
          ...{ held_by: null, ...orderSource },
        },
      ],
    },
  ],
  are_values_hidden: false,
  next_cursor: null,
  has_more: false,
};

/** What read a file of orders. */
export const fileLineageExample = {
  file_id: orderSource.file_id,
  path: orderSource.path,
  ingestions: [
    {
      ...{ id: orderSource.ingestion_id, table: 'orders', mode: 'append', created_at: '2026-01-31T12:00:05.000Z' },
      ...{ snapshot_id: 'snp_0199f3a8c4d27b1e9c55d0a1b2c3d4e5', rows: 1_204 },
    },
  ],
  snapshots: {
    ...{ count: 12, first_id: 'snp_0199f3a8c4d27b1e9c55d0a1b2c3d4e5', last_id: 'snp_0199f3a8c4d27b1e9c55d0a1b2c3d4f1' },
    is_current: true,
  },
  tasks: [],
  predictions: { count: 4_211, is_whole: true },
  batches: { count: 3, is_whole: true },
  scored_in: { count: 0, is_whole: true },
  evaluated_in: { count: 0, is_whole: true },
  data: [
    {
      ...{ model_id: 'mdl_0199f3a8c4d27b1e9c55d0a1b2c3d4e5', model_name: 'returns' },
      ...{ version_id: 'ver_0199f3a8c4d27b1e9c55d0a1b2c3d4e5', number: 2, status: 'active' },
      ...{ snapshot_id: 'snp_0199f3a8c4d27b1e9c55d0a1b2c3d4e5', read_as: ['tables'] },
      ...{ created_at: '2026-01-31T12:30:00.000Z', predictions: { count: 4_211, is_whole: true } },
    },
  ],
  next_cursor: null,
  has_more: false,
};

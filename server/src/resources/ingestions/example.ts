/** An ingestion that succeeded, in the API document. */
export const ingestionExample = {
  id: 'ing_0199f3a8c4d27b1e9c55d0a1b2c3d4e5',
  status: 'succeeded',
  kind: 'delivery',
  files: [{ file_id: 'file_0199f3a8c4d27b1e9c55d0a1b2c3d4e5', table: 'orders', mode: 'append' }],
  contract_id: 'con_0199f3a8c4d27b1e9c55d0a1b2c3d4e5',
  accept_contract: false,
  proposed_contract_id: null,
  snapshot_id: 'snp_0199f3a8c4d27b1e9c55d0a1b2c3d4e5',
  changed: true,
  ingestions_before: null,
  waits_for: null,
  start_eta: null,
  progress: { phase: 'read orders: 1926 rows' },
  report: {
    files: [
      {
        file_id: 'file_0199f3a8c4d27b1e9c55d0a1b2c3d4e5',
        path: '2026/orders.csv',
        table: 'orders',
        mode: 'append',
        rows: 1926,
        added: 1926,
        changed: 0,
        identical: 0,
        rejected: 0,
        notes: [],
        note_codes: [],
        warnings: [],
      },
    ],
    changes: [
      {
        table: 'orders',
        before: 0,
        after: 1926,
        added: 1926,
        changed: 0,
        removed: 0,
        identical: 0,
        notes: [],
        note_codes: [],
      },
    ],
    reread: [],
    tables: [
      {
        table: 'orders',
        rows: 1926,
        from: '2025-12-01T23:59:59.999',
        until: '2026-01-30T23:59:59.999',
        months: [
          { month: '2025-12', rows: 1011 },
          { month: '2026-01', rows: 915 },
        ],
        columns: [
          {
            name: 'order_id',
            type: 'string',
            present: 1,
            distinct: 1926,
            distinct_is_estimate: false,
            minimum: null,
            maximum: null,
          },
        ],
        dropped: [],
      },
    ],
    event_days: { newest: '2026-01-30', silence_max: 2 },
    warnings: [],
    warning_codes: [],
  },
  failure: null,
  message: null,
  metadata: { source: 'nightly' },
  created_at: '2026-01-31T12:00:00.000Z',
  started_at: '2026-01-31T12:00:00.212Z',
  finished_at: '2026-01-31T12:00:03.871Z',
};

/** The deviations of a refused ingestion's files, in the API document. */
export const deviationsExample = {
  id: 'ing_0199f3a8c4d27b1e9c55d0a1b2c3d4e5',
  status: 'refused',
  classification: 'data_error',
  proposed_contract_id: null,
  files: [
    {
      file_id: 'file_0199f3a8c4d27b1e9c55d0a1b2c3d4e5',
      path: '2026/orders.csv',
      table: 'orders',
      rows: 1926,
      deviations: [
        {
          kind: 'data',
          rule: 'wrong_type',
          column: 'ordered_at',
          count: 2,
          message: 'ordered_at: 2 rows: is not a date such as 2024-01-31',
          values: { type: 'date', forms: ['2024-01-31'], isAbsent: false },
          samples: [{ row: 17, value: '31.02.2026' }],
          rows: [17, 918],
        },
      ],
    },
  ],
};

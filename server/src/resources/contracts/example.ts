const document = `apiVersion: v3.1.0
kind: DataContract
id: shop
version: "1"
status: active
schema:
  - name: orders
    customProperties:
      - property: eventTime
        value: ordered_at
    properties:
      - name: order_id
        logicalType: string
        primaryKey: true
      - name: ordered_at
        logicalType: date
`;

/** A contract version, in the API document. */
export const contractExample = {
  id: 'con_0199f3a8c4d27b1e9c55d0a1b2c3d4e5',
  number: 1,
  status: 'active',
  document,
  base_id: null,
  changes: [
    {
      kind: 'key',
      table: 'orders',
      column: 'order_id',
      value: 'order_id',
      reason: 'unique, never empty, named like an identifier',
      because: [{ code: 'unique' }, { code: 'named_identifier' }],
      confidence: 'high',
      applied: true,
      seen: { column: 'order_id', rows: 48_210, filled: 48_210, distinct: 48_210, examples: [] },
    },
  ],
  ingestion_id: 'ing_0199f3a8c4d27b1e9c55d0a1b2c3d4e5',
  created_at: '2026-01-31T12:00:00.000Z',
  accepted_at: '2026-01-31T12:05:00.000Z',
};

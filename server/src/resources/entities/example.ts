const about = { snapshot_id: 'snp_0199f3a8c4d27b1e9c55d0a1b2c3d4e5', as_of: '2026-02-01T02:59:59.999Z' };

/** Entities whose keys begin alike, in the API document. */
export const entitiesExample = {
  ...about,
  data: [{ table: 'customers', key: '11222333000181' }],
  has_more: false,
  is_complete: true,
};

/** What refers to an entity, and what it refers to. */
export const entityExample = {
  ...about,
  table: 'customers',
  key: '11222333000181',
  entity_kind: 'company',
  since: '2023-05-01',
  first: '2023-05-02',
  last: '2026-01-30',
  tables: [{ table: 'orders', reference: 'customer_id', rows: 41, first: '2023-05-02', last: '2026-01-30' }],
  references: [{ reference: 'branch_id', table: 'branches', row: 3, key: 'b-04' }],
};

const nodes = [
  { id: 0, table: 'customers', row: 17, key: '11222333000181' },
  { id: 1, table: 'customers', row: 4, key: '44555666000172' },
];
const edges = [{ from: 0, to: 1, relation: 'devices', count: 2, since: '2025-03-14' }];

/** Who is tied to an entity. */
export const networkExample = {
  ...about,
  nodes: nodes.map((node) => ({ ...node, hops: node.id })),
  edges,
  left_out: { nodes: 0, edges: 0 },
};

/** How two entities are tied. */
export const pathExample = { ...about, is_found: true, is_complete: true, nodes, edges };

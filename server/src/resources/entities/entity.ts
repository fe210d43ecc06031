import { Type } from 'typebox';
import { answerOf, objectOf } from '../../api/named.ts';
import { nullable } from '../../api/nullable.ts';
import { entitiesExample, entityExample, networkExample, pathExample } from './example.ts';

const asOf = { snapshot_id: Type.String(), as_of: Type.String() };
const key = nullable(
  Type.String({ description: 'Null where it was erased, or says who a person is and was not asked about.' }),
);
const row = Type.Integer({ description: 'Of its table: the same in every answer from the data of snapshot_id.' });
const day = (description: string) => nullable(Type.String({ description }));

export const entitiesSchema = answerOf('Entities', entitiesExample, {
  snapshot_id: nullable(Type.String({ description: 'Null where the workspace has no data yet.' })),
  as_of: Type.String(),
  data: Type.Array(objectOf('FoundEntity', { table: Type.String(), key: Type.String() })),
  has_more: Type.Boolean({ description: 'Whether more begin like this: send more of the key.' }),
  is_complete: Type.Boolean({ description: 'Whether all rows were looked at that had to be.' }),
});

export const entitySchema = answerOf('Entity', entityExample, {
  ...asOf,
  table: Type.String(),
  key: Type.String(),
  entity_kind: nullable(Type.String()),
  since: day('The day since which it is known; null where rows of its table have no date.'),
  first: day('The day of the first dated row that refers to it.'),
  last: day('The day of the last one.'),
  tables: Type.Array(
    objectOf('ReferringRows', {
      table: Type.String(),
      reference: Type.String({ description: 'The column by which its rows refer to the entity.' }),
      rows: Type.Integer({ description: 'Those that were known by then, as they were known.' }),
      first: day('The day of the first.'),
      last: day('The day of the last.'),
    }),
  ),
  references: Type.Array(
    objectOf('EntityReference', {
      reference: Type.String({ description: 'The column of its row that refers to another entity.' }),
      table: Type.String({ description: 'Of the other.' }),
      row,
      key,
    }),
    { description: 'What its own row refers to, as was known by then.' },
  ),
});

const edgeSchema = objectOf('NetworkEdge', {
  from: Type.Integer({ description: 'The id of a node.' }),
  to: Type.Integer(),
  relation: Type.String({ description: 'The table whose rows both lead to.' }),
  count: Type.Integer({ description: 'How many of its rows both lead to.' }),
  since: day('The day since which they share the first; null where it is not dated.'),
});

const node = {
  id: Type.Integer({ description: 'In this answer.' }),
  table: Type.String(),
  row,
  key,
};

export const networkSchema = answerOf('Network', networkExample, {
  ...asOf,
  nodes: Type.Array(objectOf('NetworkNode', { ...node, hops: Type.Integer() }), {
    description: 'The entity asked about leads; then the nearest.',
  }),
  edges: Type.Array(edgeSchema),
  left_out: objectOf(
    'NetworkLeftOut',
    { nodes: Type.Integer({ description: 'Found, and not followed.' }), edges: Type.Integer() },
    { description: 'What is not told because there is too much of it.' },
  ),
});

export const pathSchema = answerOf('NetworkPath', pathExample, {
  ...asOf,
  is_found: Type.Boolean(),
  is_complete: Type.Boolean({ description: 'false: there were too many to look at, so that one may be there.' }),
  nodes: Type.Array(objectOf('NetworkPathNode', node), { description: 'From the one to the other, in order.' }),
  edges: Type.Array(edgeSchema, { description: 'From each node to the next.' }),
});

import { Type } from 'typebox';
import { answerOf, objectOf } from '../../api/named.ts';
import { nullable } from '../../api/nullable.ts';
import type { SplitRow } from '../models/model.ts';
import { bandSchema } from '../monitors/monitor.ts';
import type { SplitComparison } from './compare.ts';
import { splitExample } from './example.ts';

const number = Type.Number();
const text = Type.String();
const integer = Type.Integer();

const armSchema = objectOf('SplitArm', {
  arm: Type.String({ enum: ['alias', 'split'], description: 'alias: the version that the alias points at.' }),
  version_id: text,
  share: Type.Number({ description: 'Of those whom predictions are about.' }),
  answers: integer,
  entities: Type.Integer({ description: 'How many they are about; who is not named counts once for each answer.' }),
  bands: Type.Array(objectOf('SplitBand', { band: text, answers: integer }), {
    description: 'How many answers are of each risk_band; empty where answers have none.',
  }),
  tenths: Type.Array(objectOf('SplitTenth', { tenth: integer, answers: integer }), {
    description: 'How many lie in each tenth of the range of the first output that has one, from 1.',
  }),
  outcomes: Type.Array(
    objectOf('SplitOutcomes', {
      output: text,
      rows: Type.Integer({ description: 'Of each entity the newest answer whose window has closed.' }),
      expected: Type.Number({ description: 'Mean of what was answered of them.' }),
      observed: Type.Number({ description: 'Mean of what came; of classes how often the likeliest was right.' }),
      observed_low: nullable(Type.Number({ description: 'With observed_high, its 95 % interval; null of one row.' })),
      observed_high: nullable(number),
      metrics: Type.Record(Type.String(), Type.Number()),
      bands: Type.Array(bandSchema),
    }),
    { description: 'What came of them, by output; an output of which nothing has come is not there.' },
  ),
});

export const splitSchema = answerOf('AliasSplit', splitExample, {
  model_id: text,
  alias: text,
  version_id: Type.String({ description: 'Who answers the share in place of the version that the alias points at.' }),
  share: number,
  created_by: text,
  created_at: Type.String({ description: 'Answers since then are compared.' }),
  updated_at: text,
  arms: Type.Array(armSchema, { description: 'The version that the alias points at, and the other one.' }),
  differences: Type.Array(
    objectOf('SplitDifference', {
      output: text,
      observed: Type.Number({ description: 'Of the split less that of the alias.' }),
      low: Type.Number({ description: 'With high, its 95 % interval: where 0 lies in it, they need not differ.' }),
      high: number,
    }),
    { description: 'Of outputs of which both have outcomes.' },
  ),
});

export function presentSplit(row: SplitRow, comparison: SplitComparison) {
  return {
    ...{ model_id: row.model_id, alias: row.alias, version_id: row.version_id, share: row.share },
    created_by: row.created_by,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
    ...comparison,
  };
}

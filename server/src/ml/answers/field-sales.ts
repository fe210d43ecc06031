import type { Column } from '../../lib/files/column.ts';
import { growthSignals } from '../tasks/heads.ts';
import {
  type AnswerKind,
  factorsField,
  mostProbable,
  numberColumn,
  numberField,
  probabilityField,
  textField,
} from './kind.ts';

/** Whether a prospect buys, whether it grows, and through how many customers it can be reached. */
export const fieldSales: AnswerKind = {
  fields: (_, outputs) => [
    probabilityField('propensity_score', 'Probability that the prospect buys.'),
    ...(outputs.some(({ name }) => name === 'growth')
      ? [
          textField(
            'growth_signal',
            'What the window ahead is most likely to be against the one before it.',
            'expansion',
            { enum: growthSignals },
          ),
        ]
      : []),
    numberField('network_density', 'Warm paths: shared rows with existing customers, one per row and customer.', {
      type: 'integer',
      example: 2,
      minimum: 0,
    }),
    factorsField('risk_factors'),
  ],
  columns(_, outputs, { values, told, network }) {
    const g = outputs.findIndex(({ name }) => name === 'growth');
    const columns = new Map<string, Column>([['propensity_score', numberColumn(values[0])]]);
    if (g >= 0)
      columns.set('growth_signal', {
        kind: 'text',
        codes: mostProbable(values[g], growthSignals.length),
        dictionary: growthSignals,
      });
    return columns.set('network_density', numberColumn(network().warmPaths())).set('risk_factors', told);
  },
};

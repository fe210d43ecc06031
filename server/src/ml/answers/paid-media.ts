import type { Column } from '../../lib/files/column.ts';
import { type Cohort, cohortQuantile } from '../calibration/cohort.ts';
import { type AnswerKind, numberColumn, numberField, probabilityField, textField, typical } from './kind.ts';

/** Thirds of the training cohort, lowest first, by what a lead is worth and by how likely it is to come. */
const worth = ['low value', 'mid value', 'high value'] as const;
const warmth = ['cold', 'warm', 'hot'] as const;
const segments = worth.flatMap((value) => warmth.map((lead) => `${value}, ${lead}`));

/** How likely a lead is, what it is worth, which campaign audience it belongs to, and whether it will leave. */
export const paidMedia: AnswerKind = {
  fields(_, outputs) {
    const value = outputs.find(({ name }) => name === 'value');
    return [
      probabilityField('lead_score', 'Probability that the lead converts.'),
      ...(value
        ? [
            numberField('ltv_forecast', 'Expected lifetime value, in BRL.', { unit: 'BRL', example: typical(value) }),
            textField(
              'segment',
              'Thirds of the training cohort by expected value and by score: whom to treat alike.',
              'high value, warm',
              { enum: segments },
            ),
          ]
        : []),
      ...(outputs.some(({ name }) => name === 'churn')
        ? [probabilityField('churn_risk', 'Probability that the customer leaves.')]
        : []),
    ];
  },
  columns(_, outputs, { rows, values }) {
    const at = (name: string) => outputs.findIndex((output) => output.name === name);
    const [v, c] = [at('value'), at('churn')];
    const columns = new Map<string, Column>([['lead_score', numberColumn(values[0])]]);
    if (v >= 0) {
      const codes = Int32Array.from({ length: rows }, (_, row) => {
        const value = thirdOf(outputs[v].cohort, values[v][row]);
        return value * warmth.length + thirdOf(outputs[0].cohort, values[0][row]);
      });
      columns.set('ltv_forecast', numberColumn(values[v]));
      columns.set('segment', { kind: 'text', codes, dictionary: segments });
    }
    if (c >= 0) columns.set('churn_risk', numberColumn(values[c]));
    return columns;
  },
};

/** The third of a cohort that a value falls in, 0 to 2; a value on an edge belongs to the lower. */
function thirdOf(cohort: Cohort, value: number): number {
  return Number(value > cohortQuantile(cohort, 1 / 3)) + Number(value > cohortQuantile(cohort, 2 / 3));
}

import { type Column, textColumn } from '../../lib/files/column.ts';
import { decileOf, decileRange } from '../calibration/cohort.ts';
import { type AnswerKind, factorsField, numberColumn, numberField, probabilityField, textField } from './kind.ts';

/** Whether a lead converts, and among whom its value puts it. */
export const leadScoring: AnswerKind = {
  fields(_, outputs) {
    const value = outputs.find(({ name }) => name === 'value');
    return [
      probabilityField('conversion_probability', 'Probability that the lead converts.'),
      ...(value
        ? [
            numberField('ltv_decile', 'Decile of the expected value among the training cohort; 10 is the highest.', {
              type: 'integer',
              example: 7,
              minimum: 1,
              maximum: 10,
            }),
            textField('ltv_range', 'Least and greatest expected value of the decile, in BRL.', '1200.00–3400.00', {
              unit: 'BRL',
            }),
          ]
        : []),
      factorsField('risk_factors'),
    ];
  },
  columns(_, outputs, { values, told }) {
    const v = outputs.findIndex(({ name }) => name === 'value');
    const columns = new Map<string, Column>([['conversion_probability', numberColumn(values[0])]]);
    if (v >= 0) {
      const { cohort } = outputs[v];
      columns.set('ltv_decile', numberColumn(values[v].map((value) => decileOf(cohort, value))));
      const ranges = Array.from(values[v], (value) => {
        const { from, to } = decileRange(cohort, value);
        return `${from.toFixed(2)}–${to.toFixed(2)}`;
      });
      columns.set('ltv_range', textColumn(ranges));
    }
    return columns.set('risk_factors', told);
  },
};

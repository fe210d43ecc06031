import { type Column, textColumn } from '../../lib/files/column.ts';
import { type AnswerKind, factorsField, jsonFormat, numberColumn, probabilityField, textField } from './kind.ts';

const exampleFlags = JSON.stringify([
  {
    kind: 'known_bad_actor',
    hops: 1,
    since: '2024-12-31',
    path: [{ entity: 'id-1', relation: 'device', date: '2024-12-01' }],
    text: 'linked by device to a known bad actor, since 2024-12-31',
  },
]);

/** How likely fraud is, what says so, and who stands near. */
export const fraud: AnswerKind = {
  fields: () => [
    probabilityField('fraud_score', 'Probability of fraud.'),
    factorsField('risk_factors'),
    textField(
      'network_flags',
      'Links over at most three shared rows to known bad actors, and suspicious groups, as a JSON list.',
      exampleFlags,
      { format: jsonFormat },
    ),
  ],
  columns: (_, __, { values, told, network }) =>
    new Map<string, Column>([
      ['fraud_score', numberColumn(values[0])],
      ['risk_factors', told],
      [
        'network_flags',
        textColumn(
          network()
            .flags()
            .map((flags) => JSON.stringify(flags)),
        ),
      ],
    ]),
};

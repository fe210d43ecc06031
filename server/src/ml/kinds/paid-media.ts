import { type Cohort, cohortQuantile } from '../calibration/cohort.ts';
import { numberColumn, numberField, probabilityField, textField, typical } from './fields.ts';
import type { Answer, KnownOutput, PredictionKind } from './kind.ts';
import { probabilityMetrics } from './metrics.ts';

/** Thirds of the training cohort, lowest first: by the worth of a lead, and by its probability. */
const worth = ['low value', 'mid value', 'high value'] as const;
const warmth = ['cold', 'warm', 'hot'] as const;
const segments = worth.flatMap((value) => warmth.map((lead) => `${value}, ${lead}`));

/** The probability of a lead, its worth, its campaign audience, and the probability that it leaves. */
export const paidMedia = {
  name: 'paid_media',
  learns: {
    heads: [
      {
        name: 'lead',
        objective: 'binary',
        required: true,
        about: 'whether the lead converts',
        bounds: 'lead_score',
      },
      {
        name: 'value',
        objective: 'regression',
        metric: 'rmse',
        required: false,
        about: 'what the lead is worth, in BRL',
        bounds: 'ltv_forecast',
      },
      {
        name: 'churn',
        objective: 'binary',
        required: false,
        about: 'whether the customer leaves',
        bounds: 'churn_risk',
      },
    ],
  },
  metrics: probabilityMetrics,
  answers(outputs) {
    const [lead, value, churn] = ['lead', 'value', 'churn'].map((head) => outputs.find(({ name }) => name === head));
    return [
      {
        field: probabilityField('lead_score', 'Probability that the lead converts.'),
        column: ({ of }) => numberColumn(of('lead')),
      },
      ...(value ? valueAnswers(lead!, value) : []),
      ...(churn
        ? [
            {
              field: probabilityField('churn_risk', 'Probability that the customer leaves.'),
              column: ({ of }) => numberColumn(of('churn')),
            } satisfies Answer,
          ]
        : []),
    ];
  },
  example: `kind: paid_media
entity: customer
key: customer_id
anchors: {every: 60d, from: 2023-06-01, until: 2024-06-01}
targets:
  lead: PREDICT exists(purchase) WITHIN 30d FOR customer
  value: PREDICT sum(purchase.amount) WITHIN 60d FOR customer
  churn: PREDICT count(purchase) = 0 WITHIN 60d FOR customer
`,
} as const satisfies PredictionKind;

function valueAnswers(lead: KnownOutput, value: KnownOutput): Answer[] {
  return [
    {
      field: numberField('ltv_forecast', 'Expected lifetime value, in BRL.', { unit: 'BRL', example: typical(value) }),
      column: ({ of }) => numberColumn(of(value.name)),
    },
    {
      field: textField(
        'segment',
        'Thirds of the training cohort by expected value and by score: whom to treat alike.',
        'high value, warm',
        { enum: segments },
      ),
      column({ rows, of }) {
        const [leads, values] = [of(lead.name), of(value.name)];
        const codes = Int32Array.from(
          { length: rows },
          (_, row) => thirdOf(value.cohort, values[row]) * warmth.length + thirdOf(lead.cohort, leads[row]),
        );
        return { kind: 'text', codes, dictionary: segments };
      },
    },
  ];
}

/** The third of a cohort that a value falls in, 0 to 2. A value on a boundary belongs to the lower third. */
function thirdOf(cohort: Cohort, value: number): number {
  return Number(value > cohortQuantile(cohort, 1 / 3)) + Number(value > cohortQuantile(cohort, 2 / 3));
}

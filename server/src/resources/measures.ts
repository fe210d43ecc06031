import { Type } from 'typebox';
import { objectOf } from '../api/named.ts';
import { nullable } from '../api/nullable.ts';

const number = Type.Number();
const integer = Type.Integer();
const share = (description: string) => Type.Number({ minimum: 0, maximum: 1, description });
/** A figure that the rows may not be able to tell. */
const figure = (description?: string) => nullable(Type.Number(description === undefined ? {} : { description }));

/** How well bounds around predictions held. */
export const surenessSchema = Type.Union([
  objectOf('EvaluationCoverage', {
    kind: Type.Literal('conformal'),
    rows: integer,
    observed: share('Share of labels within the bounds of their predictions.'),
    expected: share('What the bounds promise.'),
    standard_error: number,
    mean_width: number,
  }),
  objectOf('EvaluationBounds', {
    kind: Type.Literal('rate'),
    rows: integer,
    lower: share('Mean lower bound.'),
    upper: share('Mean upper bound.'),
    observed: share('The observed rate, which should lie between them.'),
  }),
]);

/** About a tenth of the rows by their probability, with the observed rate and its 95 % interval. */
export const reliabilityRowSchema = objectOf('EvaluationReliability', {
  rows: integer,
  from: number,
  to: number,
  mean_predicted: number,
  observed: number,
  observed_low: number,
  observed_high: number,
});

/** About a tenth of the rows, the most probable first, and all down to it. */
export const gainsRowSchema = objectOf('EvaluationGains', {
  rows: integer,
  positives: integer,
  from: Type.Number({ description: 'The lowest prediction in this tenth.' }),
  observed: number,
  lift: figure('The observed rate over that of all rows.'),
  share: share('Of all rows, those down to here.'),
  captured: figure('Of all positives, those down to here.'),
  cumulative_lift: figure(),
});

/** How well calibrated probabilities were. */
export const calibrationSchema = objectOf('EvaluationCalibration', {
  rows: integer,
  bins: integer,
  binning: Type.Literal('equal_count'),
  expected_calibration_error: number,
  of_perfect: objectOf('EvaluationOfPerfect', { mean: number, high: number }),
  slope: figure(),
  slope_standard_error: figure(),
  intercept: figure(),
  intercept_standard_error: figure(),
  spiegelhalter_z: figure(),
});

/** The metric of predictions that need no learning. */
export const naiveSchema = objectOf(
  'NaiveMetric',
  {
    constant: figure('One answer for all rows.'),
    own_mean: Type.Optional(
      figure("The mean of the row's own earlier labels, or their median where the metric is mae."),
    ),
    own_last: Type.Optional(figure("The last of the row's own earlier labels.")),
    referred_mean: Type.Optional(
      figure(
        'Of new rows: the mean of earlier labels of rows that refer to the same, by the reference that answers best.',
      ),
    ),
    referred_by: Type.Optional(Type.String({ description: 'That reference.' })),
    gain: Type.Optional(
      objectOf(
        'NaiveGain',
        {
          over: Type.String({ enum: ['constant', 'own_mean', 'own_last', 'referred_mean'] }),
          value: figure(),
          low: figure('Of its 95 % interval.'),
          high: figure(),
        },
        { description: 'By how much the model is better than the best of these on the same rows: above 0 is better.' },
      ),
    ),
  },
  { description: 'The metric of what takes no learning, on the same rows.' },
);

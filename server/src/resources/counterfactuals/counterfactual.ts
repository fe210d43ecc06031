import { type Static, Type } from 'typebox';
import { answerOf, objectOf } from '../../api/named.ts';
import { nullable } from '../../api/nullable.ts';
import { shortText } from '../../api/texts.ts';
import { bytesMax } from '../../lib/http/size-bounds.ts';
import { inputBytesMax, inputsMax } from '../predictions/prediction.ts';
import { counterfactualsExample } from './example.ts';
import { refusals } from './refusals.ts';

/** Most inputs that a search may change, those of one answer, and answers. */
export const changeableMax = 20;
export const changesMax = 4;
export const alternativesMax = 5;
/** Most cases that are tried in one search. */
export const triesMax = 20_000;
/** A search counts as one prediction for each of so many cases that it begins. */
export const triesPerPrediction = 1_000;
const valuesMax = 200;
const stepMin = 1e-6;

const valueSchema = Type.Union([Type.Number(), Type.Boolean(), shortText()]);
const boundSchema = (description: string) => Type.Optional(Type.Union([Type.Number(), shortText()], { description }));

export const requestSchema = Type.Object(
  {
    inputs: Type.Record(Type.String(), Type.Unknown(), {
      maxProperties: inputsMax,
      [bytesMax]: inputBytesMax,
      description: 'Those of a prediction: `POST /v1/api/prediction/{model_id}/{name}`.',
    }),
    target: Type.Optional(
      Type.Object(
        {
          output: Type.Optional(
            shortText('Which field of the answer; by default its first number, or with `band` its first text.'),
          ),
          below: Type.Optional(Type.Number({ description: 'The number is to be less than this.' })),
          above: Type.Optional(Type.Number({ description: 'The number is to be this or more.' })),
          band: Type.Optional(
            Type.Union([shortText(), Type.Array(shortText(), { minItems: 1, maxItems: 20 })], {
              description: 'The text, such as risk_band, is to be this or one of these.',
            }),
          ),
        },
        { title: 'CounterfactualTarget', additionalProperties: false, description: 'One of below, above and band.' },
      ),
    ),
    changeable: Type.Array(
      Type.Object(
        {
          input: shortText('An input of the version that is no key, no reference, and neither personal nor protected.'),
          direction: Type.Optional(
            Type.Union([Type.Literal('increase'), Type.Literal('decrease'), Type.Literal('any')], {
              description: 'Of a number or a date; any by default, and of what is not given.',
            }),
          ),
          minimum: boundSchema('Within what the data have, which bounds it anyway. Of dates a day.'),
          maximum: boundSchema('As minimum.'),
          step: Type.Optional(
            Type.Number({
              minimum: stepMin,
              description: 'Numbers change by multiples of it, dates by as many days. By default the unit of the data.',
            }),
          ),
          values: Type.Optional(
            Type.Array(valueSchema, {
              minItems: 1,
              maxItems: valuesMax,
              description: 'Only these, within what the data have.',
            }),
          ),
          cost: Type.Optional(
            Type.Number({
              minimum: 0,
              description:
                'Of one unit of change of a number, of a day, or of another value. By default 1 of another value, and of as much of a number as lies between the first and the ninth tenth of the data.',
            }),
          ),
        },
        { title: 'ChangeableInput', additionalProperties: false },
      ),
      {
        maxItems: changeableMax,
        description:
          'What may be changed. Empty: nothing is searched, and the answer to the inputs is given with what could be changed.',
      },
    ),
    most_changes: Type.Optional(
      Type.Integer({ minimum: 1, maximum: changesMax, description: 'Inputs changed at once; 3 by default.' }),
    ),
    alternatives: Type.Optional(
      Type.Integer({ minimum: 1, maximum: alternativesMax, description: 'Answers wanted; 3 by default.' }),
    ),
  },
  {
    title: 'CounterfactualRequest',
    additionalProperties: false,
    examples: [
      {
        inputs: { customer_id: '11222333000181', amount: 12_000, term_months: 36 },
        target: { below: 0.1 },
        changeable: [
          { input: 'term_months', direction: 'decrease', minimum: 6, step: 6 },
          { input: 'amount', direction: 'decrease', step: 100 },
        ],
      },
    ],
  },
);

export type CounterfactualRequest = Static<typeof requestSchema>;
export type AskedInput = CounterfactualRequest['changeable'][number];

const changeableSchema = objectOf('ChangeableInputFound', {
  input: Type.String(),
  because: nullable(
    Type.String({ enum: Object.keys(refusals), description: 'Why it cannot be changed; null where it can.' }),
  ),
  value: Type.Unknown({ description: 'Null: not given, or not to be changed.' }),
  minimum: nullable(valueSchema),
  maximum: nullable(valueSchema),
  step: nullable(Type.Number({ description: 'Of numbers; of dates in days.' })),
  values: nullable(Type.Array(valueSchema, { description: 'Of a text or of yes and no: the most frequent first.' })),
});

const outputsSchema = Type.Record(Type.String(), Type.Unknown(), {
  description: 'The outputs of the version, without reasons.',
});

/** Why a search found nothing. */
export const reasons = {
  none: 'no change reaches the target: of what the data have, and as many inputs at once as were allowed, all was tried',
  not_found:
    'no change that was tried reaches the target, and not all could be tried: name fewer inputs, values, or larger steps',
  no_effect:
    'nothing that may be changed moves the answer: the model tells none of the values that the data have apart from the present one',
} as const;

export const counterfactualsSchema = answerOf('Counterfactuals', counterfactualsExample, {
  model_id: Type.String(),
  version_id: Type.String(),
  snapshot_id: Type.String(),
  as_of: Type.String({ description: 'The moment that all of these answers are as of.' }),
  target: nullable(
    objectOf('CounterfactualTargetMeant', {
      output: Type.String(),
      below: nullable(Type.Number()),
      above: nullable(Type.Number()),
      is: nullable(Type.Array(Type.String())),
    }),
  ),
  prediction: outputsSchema,
  changeable_inputs: nullable(
    Type.Array(changeableSchema, {
      description: 'Where nothing was declared changeable: what could be, by what the data have by then.',
    }),
  ),
  found: Type.Boolean({ description: 'Whether some change reaches the target, or none is needed.' }),
  counterfactuals: Type.Array(
    objectOf('Counterfactual', {
      changes: Type.Array(
        objectOf('CounterfactualChange', {
          input: Type.String(),
          from: Type.Unknown({ description: 'Null: not given.' }),
          to: Type.Unknown(),
          cost: Type.Number(),
        }),
        { description: 'Empty where the answer is as it should be already.' },
      ),
      cost: Type.Number(),
      outputs: outputsSchema,
    }),
    { description: 'Those of the fewest changes first, then the cheaper; each changes other inputs.' },
  ),
  searched: objectOf('CounterfactualSearch', {
    exhaustive: Type.Boolean({
      description: 'Whether nothing of fewer changes, or of as many at less cost, was left untried.',
    }),
    candidates: Type.Integer({ description: 'Cases that were tried.' }),
  }),
  reason: nullable(Type.String({ enum: Object.keys(reasons), description: 'Why nothing was found.' })),
  message: nullable(Type.String()),
});

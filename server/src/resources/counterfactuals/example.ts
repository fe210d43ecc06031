import { answerExample } from '../predictions/example.ts';

const { model_id, version_id, snapshot_id, as_of } = answerExample;

/** A search that found two ways, in the API document. */
export const counterfactualsExample = {
  ...{ model_id, version_id, snapshot_id, as_of },
  target: { output: 'prediction', below: 0.1, above: null, is: null },
  prediction: { prediction: 0.134438097, data_coverage: 'full', data_coverage_share: 1, as_of },
  changeable_inputs: null,
  found: true,
  counterfactuals: [
    {
      changes: [{ input: 'term_months', from: 36, to: 24, cost: 0.5 }],
      cost: 0.5,
      outputs: { prediction: 0.094120311, data_coverage: 'full', data_coverage_share: 1, as_of },
    },
    {
      changes: [{ input: 'amount', from: 12_000, to: 8_400, cost: 0.72 }],
      cost: 0.72,
      outputs: { prediction: 0.098804216, data_coverage: 'full', data_coverage_share: 1, as_of },
    },
  ],
  searched: { exhaustive: true, candidates: 212 },
  reason: null,
  message: null,
};

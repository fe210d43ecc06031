import { Type } from 'typebox';
import { type Route, route } from '../../api/route.ts';
import { modelName } from '../models/model.ts';
import type { Predicting } from '../predictions/predict.ts';
import { counterfactualsSchema, requestSchema } from './counterfactual.ts';
import { findCounterfactuals } from './find.ts';

export const counterfactualRoutes = (app: Predicting): Route[] => {
  const searching = new Set<string>();
  return [
    route(
      {
        method: 'POST',
        path: '/v1/api/prediction/{model_id}/{name}/counterfactuals',
        operation: 'counterfactuals.find',
        summary: 'The fewest changes of the inputs by which the answer would be another',
        description:
          'Of a new row, whose inputs say what could be otherwise. The version itself answers each case that is tried, as it would answer a prediction at the same moment. Only values that the data had by then are proposed, none of personal or protected inputs. Nothing of it is kept among predictions; it counts as one for each thousand cases that are tried. Without changeable inputs the answer alone is given, to any version.',
        access: 'invoke_predictions',
        ...{ cachedKey: true, realTime: true },
        params: Type.Object({
          model_id: modelName(),
          name: Type.String({ description: 'An alias such as production, or a version id.' }),
        }),
        body: requestSchema,
        problems: [
          'unknown_input',
          'missing_input',
          'invalid_input',
          'not_changeable',
          'reference_date_in_future',
          'model_training',
          'version_inactive',
          'no_data',
          'budget_exceeded',
          'object_damaged',
          'quota_exceeded',
        ],
        answers: { 200: counterfactualsSchema },
      },
      (ctx, { params: { model_id, name }, body, ensure }) =>
        findCounterfactuals(app, searching, ctx, { model: model_id, name, request: body }, ensure),
    ),
  ];
};

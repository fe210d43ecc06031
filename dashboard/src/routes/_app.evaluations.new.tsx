import { createFileRoute } from '@tanstack/react-router';
import { NewEvaluation } from '../evaluations/new-evaluation.tsx';

export type NewEvaluationSearch = {
  readonly model?: string;
  readonly version?: string;
  /** The version that it is compared with. */
  readonly against?: string;
};

export const Route = createFileRoute('/_app/evaluations/new')({
  validateSearch: ({ model, version, against }): NewEvaluationSearch => ({
    ...(typeof model === 'string' ? { model } : {}),
    ...(typeof version === 'string' ? { version } : {}),
    ...(typeof against === 'string' ? { against } : {}),
  }),
  component: NewEvaluation,
});

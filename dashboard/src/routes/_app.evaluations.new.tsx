import { createFileRoute } from '@tanstack/react-router';
import { Page } from '../kit/page.tsx';

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

function NewEvaluation() {
  return <Page title="NewEvaluation">{null}</Page>;
}

import { createFileRoute } from '@tanstack/react-router';
import { EvaluationPage } from '../evaluations/evaluation-page.tsx';

export type EvaluationSearch = { readonly output?: string; readonly rows?: 'all' | 'later' };

export const Route = createFileRoute('/_app/evaluations/$evaluation_id')({
  validateSearch: ({ output, rows }): EvaluationSearch => ({
    ...(typeof output === 'string' ? { output } : {}),
    ...(rows === 'all' || rows === 'later' ? { rows } : {}),
  }),
  component: EvaluationPage,
});

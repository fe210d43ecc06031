import { createFileRoute } from '@tanstack/react-router';
import { EvaluationPage } from '../evaluations/evaluation-page.tsx';
import { readEvaluationSearch } from '../evaluations/evaluation-search.ts';

export const Route = createFileRoute('/_app/evaluations/$evaluation_id')({
  validateSearch: readEvaluationSearch,
  component: EvaluationPage,
});

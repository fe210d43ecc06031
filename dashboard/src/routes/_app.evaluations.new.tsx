import { createFileRoute } from '@tanstack/react-router';
import { NewEvaluation } from '../evaluations/new-evaluation.tsx';
import { readNewEvaluationSearch } from '../evaluations/new-evaluation-search.ts';

export const Route = createFileRoute('/_app/evaluations/new')({
  validateSearch: readNewEvaluationSearch,
  component: NewEvaluation,
});

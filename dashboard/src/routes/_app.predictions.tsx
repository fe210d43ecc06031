import { createFileRoute } from '@tanstack/react-router';
import { Predictions } from '../predictions/predictions.tsx';
import { readPredictionsSearch } from '../predictions/search.ts';

export const Route = createFileRoute('/_app/predictions')({
  validateSearch: readPredictionsSearch,
  component: Predictions,
});

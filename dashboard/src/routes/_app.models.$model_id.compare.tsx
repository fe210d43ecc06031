import { createFileRoute } from '@tanstack/react-router';
import { ComparePage } from '../models/compare-page.tsx';
import { readCompareSearch } from '../models/compare-search.ts';

export const Route = createFileRoute('/_app/models/$model_id/compare')({
  validateSearch: readCompareSearch,
  component: ComparePage,
});

import { createFileRoute } from '@tanstack/react-router';
import { readUsageSearch } from '../usage/search.ts';
import { UsagePage } from '../usage/usage-page.tsx';

export const Route = createFileRoute('/_app/usage')({
  validateSearch: readUsageSearch,
  component: UsagePage,
});

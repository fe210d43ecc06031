import { createFileRoute } from '@tanstack/react-router';
import { Playground } from '../playground/playground.tsx';
import { readPlaygroundSearch } from '../playground/search.ts';

export const Route = createFileRoute('/_app/playground')({
  validateSearch: readPlaygroundSearch,
  component: Playground,
});

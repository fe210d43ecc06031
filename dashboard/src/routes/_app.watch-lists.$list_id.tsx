import { createFileRoute } from '@tanstack/react-router';
import { readWatchListSearch } from '../watch-lists/search.ts';
import { WatchListPage } from '../watch-lists/watch-list-page.tsx';

export const Route = createFileRoute('/_app/watch-lists/$list_id')({
  validateSearch: readWatchListSearch,
  component: WatchListPage,
});

import { createFileRoute } from '@tanstack/react-router';
import { Replays } from '../predictions/replays.tsx';
import { readReplaysSearch } from '../predictions/replays-search.ts';

export const Route = createFileRoute('/_app/predictions_/replays')({
  validateSearch: readReplaysSearch,
  component: Replays,
});

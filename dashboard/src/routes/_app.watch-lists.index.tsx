import { createFileRoute } from '@tanstack/react-router';
import { WatchLists } from '../watch-lists/watch-lists.tsx';

export const Route = createFileRoute('/_app/watch-lists/')({ component: WatchLists });

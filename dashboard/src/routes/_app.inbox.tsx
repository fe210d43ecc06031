import { createFileRoute } from '@tanstack/react-router';
import { Inbox } from '../inbox/inbox.tsx';
import { readInboxSearch } from '../inbox/search.ts';

export const Route = createFileRoute('/_app/inbox')({
  validateSearch: readInboxSearch,
  component: Inbox,
});

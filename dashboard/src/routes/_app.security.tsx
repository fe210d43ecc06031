import { createFileRoute } from '@tanstack/react-router';
import { readSecuritySearch } from '../security/search.ts';
import { Security } from '../security/security.tsx';

export const Route = createFileRoute('/_app/security')({
  validateSearch: readSecuritySearch,
  component: Security,
});

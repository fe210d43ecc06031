import { createFileRoute } from '@tanstack/react-router';
import { Organization } from '../places/organization.tsx';
import { readOrganizationSearch } from '../places/search.ts';

export const Route = createFileRoute('/_app/organization')({
  validateSearch: readOrganizationSearch,
  component: Organization,
});

import { createFileRoute } from '@tanstack/react-router';
import { VersionPage } from '../models/version-page.tsx';
import { readVersionSearch } from '../models/version-search.ts';

export const Route = createFileRoute('/_app/models/$model_id/versions/$version_id')({
  validateSearch: readVersionSearch,
  component: VersionPage,
});

import { createFileRoute } from '@tanstack/react-router';
import { Entities } from '../entities/entities.tsx';

export type EntitiesSearch = { readonly table?: string; readonly query?: string };

export const Route = createFileRoute('/_app/entities/')({
  validateSearch: ({ table, query }): EntitiesSearch => ({
    ...(typeof table === 'string' && table ? { table } : {}),
    ...(typeof query === 'string' || typeof query === 'number' ? { query: String(query) } : {}),
  }),
  component: Entities,
});

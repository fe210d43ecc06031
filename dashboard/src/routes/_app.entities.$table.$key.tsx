import { createFileRoute } from '@tanstack/react-router';
import { Entity } from '../entities/entity.tsx';
import { readEntitySearch } from '../entities/entity-search.ts';

export const Route = createFileRoute('/_app/entities/$table/$key')({
  validateSearch: readEntitySearch,
  component: EntityOfRoute,
});

function EntityOfRoute() {
  const { table, key } = Route.useParams();
  return <Entity key={`${table}/${key}`} table={table} entityKey={key} />;
}

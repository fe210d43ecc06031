import { createFileRoute } from '@tanstack/react-router';
import { TablePage } from '../data/table-page.tsx';
import { readTableSearch } from '../data/table-search.ts';

export const Route = createFileRoute('/_app/data/tables/$table')({
  validateSearch: readTableSearch,
  component: TableOfRoute,
});

function TableOfRoute() {
  const { table } = Route.useParams();
  return <TablePage key={table} name={table} />;
}

import { createFileRoute } from '@tanstack/react-router';
import { TablePage } from '../data/table-page.tsx';

export const Route = createFileRoute('/_app/data/tables/$table')({ component: TableOfRoute });

function TableOfRoute() {
  const { table } = Route.useParams();
  return <TablePage key={table} name={table} />;
}

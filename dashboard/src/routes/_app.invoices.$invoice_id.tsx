import { createFileRoute } from '@tanstack/react-router';
import { Page } from '../kit/page.tsx';

export const Route = createFileRoute('/_app/invoices/$invoice_id')({ component: InvoicePage });

function InvoicePage() {
  return <Page title="InvoicePage">{null}</Page>;
}

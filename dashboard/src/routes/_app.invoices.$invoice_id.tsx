import { createFileRoute } from '@tanstack/react-router';
import { InvoicePage } from '../invoices/invoice-page.tsx';

export const Route = createFileRoute('/_app/invoices/$invoice_id')({ component: InvoicePage });

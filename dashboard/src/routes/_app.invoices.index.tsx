import { createFileRoute } from '@tanstack/react-router';
import { Page } from '../kit/page.tsx';

export const Route = createFileRoute('/_app/invoices/')({ component: Invoices });

function Invoices() {
  return <Page title="Invoices">{null}</Page>;
}

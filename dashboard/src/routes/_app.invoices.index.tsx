import { createFileRoute } from '@tanstack/react-router';
import { Invoices } from '../invoices/invoices.tsx';

export const Route = createFileRoute('/_app/invoices/')({ component: Invoices });

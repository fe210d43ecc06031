import { createFileRoute } from '@tanstack/react-router';
import { Page } from '../kit/page.tsx';

export const Route = createFileRoute('/_app/audit')({ component: AuditLog });

function AuditLog() {
  return <Page title="AuditLog">{null}</Page>;
}

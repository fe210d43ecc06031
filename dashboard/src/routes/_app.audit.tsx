import { createFileRoute } from '@tanstack/react-router';
import { AuditLog } from '../audit/audit-log.tsx';
import { readAuditSearch } from '../audit/search.ts';

export const Route = createFileRoute('/_app/audit')({
  validateSearch: readAuditSearch,
  component: AuditLog,
});

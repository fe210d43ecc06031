import { createFileRoute } from '@tanstack/react-router';
import { ContractPage } from '../data/contract-page.tsx';

const parts = ['tables', 'graph', 'changes', 'yaml'] as const;
export type ContractPart = (typeof parts)[number];

export const Route = createFileRoute('/_app/data/contracts/$contract_id')({
  validateSearch: ({ part, table }): { readonly part?: ContractPart; readonly table?: string } => {
    const known = parts.find((one) => one === part);
    return { ...(known ? { part: known } : {}), ...(typeof table === 'string' ? { table } : {}) };
  },
  component: ContractPage,
});

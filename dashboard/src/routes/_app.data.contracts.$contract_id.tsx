import { createFileRoute } from '@tanstack/react-router';
import { ContractPage } from '../data/contract-page.tsx';

const parts = ['tables', 'graph', 'changes', 'yaml'] as const;
export type ContractPart = (typeof parts)[number];

export type ContractSearch = {
  readonly part?: ContractPart;
  readonly table?: string;
  /** Columns (`table.column`) that are pointed at, of which may have to be said that they are known only later. */
  readonly late?: readonly string[];
};

export const Route = createFileRoute('/_app/data/contracts/$contract_id')({
  validateSearch: ({ part, table, late }): ContractSearch => {
    const known = parts.find((one) => one === part);
    const columns = Array.isArray(late) ? late.filter((one) => typeof one === 'string') : [];
    return {
      ...(known ? { part: known } : {}),
      ...(typeof table === 'string' ? { table } : {}),
      ...(columns.length > 0 ? { late: columns } : {}),
    };
  },
  component: ContractPage,
});

import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { type Contract, type ContractTable, readContract } from './contract.ts';
import { type Correction, columnValue, type TableField, tableValue } from './corrections.ts';
import { type Mistake, mistakesOf, useProposal } from './use-proposal.ts';

/** What the page of a contract needs to have it corrected by clicks. */
export type Correcting = {
  /** The tables without the corrections. */
  readonly before: readonly ContractTable[];
  readonly mistakes: readonly Mistake[];
  /** Notes what a table (`column` is null) or column is to say; what it said before is no correction. */
  correct(table: string, column: string | null, values: Readonly<Record<string, string | boolean | undefined>>): void;
};

/** Corrections of a contract: they stay on the page until they are proposed as the text of another one. */
export function useCorrections(contract: Contract, before: readonly ContractTable[] | undefined) {
  const [corrections, setCorrections] = useState<readonly Correction[]>([]);
  const propose = useProposal(contract.status === 'proposed' ? contract.ingestion_id : null);
  const { document } = contract;
  const corrected = useQuery({
    queryKey: ['corrected-contract', document, corrections],
    queryFn: async () => {
      const { correctContract } = await import('./correct-contract.ts');
      const text = correctContract(document, corrections);
      return { text, tables: text === null ? null : (await readContract(text)).tables };
    },
    enabled: corrections.length > 0,
    placeholderData: (shown) => shown,
    gcTime: 0,
  });
  const set = (next: readonly Correction[]) => {
    propose.reset();
    setCorrections(next);
  };
  const correct: Correcting['correct'] = (table, column, values) => {
    const saidBefore = (field: string) => {
      const ofTable = before?.find(({ name }) => name === table);
      if (column === null) return ofTable && tableValue(ofTable, field as TableField);
      const ofColumn = ofTable?.columns.find(({ name }) => name === column);
      return ofColumn && columnValue(ofColumn, field as Parameters<typeof columnValue>[1]);
    };
    const others = corrections.filter((one) => one.table !== table || one.column !== column || !(one.field in values));
    const made = Object.entries(values).flatMap(([field, value]) =>
      value === undefined || value === saidBefore(field) ? [] : [{ table, column, field, value } as Correction],
    );
    set([...others, ...made]);
  };
  const hasSome = corrections.length > 0;
  return {
    count: corrections.length,
    /** Undefined until it is written; null where the text cannot be corrected here. */
    text: hasSome && !corrected.isPlaceholderData ? corrected.data?.text : undefined,
    tables: (hasSome && corrected.data?.tables) || before,
    mistakes: mistakesOf(propose.error),
    propose,
    correct,
    discard: () => set([]),
  };
}

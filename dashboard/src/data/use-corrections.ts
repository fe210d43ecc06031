import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { type Contract, type ContractTable, readContract } from './contract.ts';
import { type Correction, columnValue, impliedBy, type TableField, tableValue } from './corrections.ts';
import { type Guess, guessesOf } from './report.ts';
import { type Mistake, mistakesOf, useProposal } from './use-proposal.ts';

/** What the page of a contract needs to have it corrected by clicks. */
export type Correcting = {
  /** The tables without the corrections. */
  readonly before: readonly ContractTable[];
  readonly mistakes: readonly Mistake[];
  /** Notes what a table (`column` is null) or column is to say. */
  correct(table: string, column: string | null, values: Readonly<Record<string, string | boolean | undefined>>): void;
  /** What somebody has looked at here and found right. */
  readonly confirmed: ReadonlySet<Guess>;
  confirm(guess: Guess): void;
};

/**
 * Corrections of a contract, and what follows from them: they stay on the page until they are proposed as the text of
 * another one.
 */
export function useCorrections(contract: Contract, before: readonly ContractTable[] | undefined) {
  const [byHand, setByHand] = useState<readonly Correction[]>([]);
  const [confirmed, setConfirmed] = useState<ReadonlySet<Guess>>(new Set());
  const propose = useProposal(contract.status === 'proposed' ? contract.ingestion_id : null);
  const { document } = contract;
  const guesses = contract.status === 'proposed' ? guessesOf(contract.changes) : [];
  const saidBefore = ({ table, column, field }: Correction) => {
    const ofTable = before?.find(({ name }) => name === table);
    if (column === null) return ofTable && tableValue(ofTable, field as TableField);
    const ofColumn = ofTable?.columns.find(({ name }) => name === column);
    return ofColumn && columnValue(ofColumn, field as Parameters<typeof columnValue>[1]);
  };
  // What was said before is no correction.
  const corrections = [...byHand, ...impliedBy(byHand, guesses)].filter((one) => one.value !== saidBefore(one));
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
    setByHand(next);
  };
  const correct: Correcting['correct'] = (table, column, values) => {
    const others = byHand.filter((one) => one.table !== table || one.column !== column || !(one.field in values));
    const made = Object.entries(values).flatMap(([field, value]) =>
      value === undefined ? [] : [{ table, column, field, value } as Correction],
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
    confirmed,
    confirm: (guess: Guess) => setConfirmed((others) => new Set([...others, guess])),
    discard: () => set([]),
  };
}

import { LastroError } from '@lastro/sdk';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useClient } from '../api/session.tsx';
import { useChange } from '../api/use-data.ts';
import type { Contract } from './contract.ts';
import { breakingOf } from './report.ts';
import { useFollowing } from './use-acceptance.ts';

/**
 * Proposes the text of a contract, and goes to see it, or what comes of its acceptance. One by which something may break
 * is `asked` about first, where the button was pressed. `waiting`: the ingestion whose files wait for a contract, and
 * come in under this.
 */
export function useProposal(waiting: string | null) {
  const client = useClient();
  const navigate = useNavigate();
  const follow = useFollowing();
  const [asked, setAsked] = useState<Contract | null>(null);
  const see = ({ id }: Contract) =>
    navigate({ to: '/data/contracts/$contract_id', params: { contract_id: id }, search: {} });
  const change = useChange(
    async ({ document, accept }: { readonly document: string; readonly accept: boolean }) => {
      const made = await client.contracts.create(requestOf(document, waiting));
      if (accept && breakingOf(made).length > 0) return setAsked(made);
      await see(made);
      if (accept) await follow(await client.contracts.accept(made.id));
    },
    { changes: [['contracts'], ['ingestions']], isQuiet: true },
  );
  return { ...change, asked, see };
}

export const requestOf = (document: string, waiting: string | null) => ({
  document,
  ...(waiting === null ? {} : { ingestion_id: waiting }),
});

export type Mistake = {
  readonly line: number;
  /** Where in the document, as `schema[0].properties[1].logicalType`; '' where that is not said. */
  readonly path: string;
  readonly text: string;
  readonly because?: LastroError['because'];
  /** The places of the table and the column that it is in, from 0. */
  readonly table: number | null;
  readonly column: number | null;
};

/** The mistakes of a refused contract, each with the line and the place that its text names. */
export function mistakesOf(error: unknown): readonly Mistake[] {
  if (!(error instanceof LastroError) || error.code !== 'invalid_contract') return [];
  return error.errors.flatMap(({ detail, because }) => {
    const match = /^line (\d+), (?:(schema\[(\d+)\](?:\.properties\[(\d+)\])?[^:\s]*): )?([\s\S]*)$/.exec(detail);
    if (!match) return [];
    const [, line, path = '', table, column, text] = match;
    return [
      { line: Number(line), path, text, ...(because && { because }), table: placeOf(table), column: placeOf(column) },
    ];
  });
}

const placeOf = (text: string | undefined): number | null => (text === undefined ? null : Number(text));

import { useMemo } from 'react';
import { useClient } from '../api/session.tsx';
import { useData } from '../api/use-data.ts';
import { useActiveContract, useContractDocument } from '../data/use-contracts.ts';
import { followedOf } from './followed.ts';
import type { Run } from './use-runs.ts';

/** The contract in force, and what of that for which a run was refused it has mended since. */
export function useFollowed({ contract_id: id }: Pick<Run, 'contract_id'>, names: readonly string[]) {
  const client = useClient();
  const { data: active } = useActiveContract();
  const isOther = !!active && active.id !== id;
  const { data: read } = useData(['contracts', 'one', id], (signal) => client.contracts.get(id, { signal }), {
    isOn: isOther,
  });
  const { data: before } = useContractDocument(read?.document);
  const { data: now } = useContractDocument(isOther ? active.document : undefined);
  const followed = useMemo(
    () => (before && now ? followedOf(names, before.tables, now.tables) : []),
    [names, before, now],
  );
  return { active: active ?? null, followed, isKnown: active !== undefined && (!isOther || !!(before && now)) };
}

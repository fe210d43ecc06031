import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useClient, useSession } from '../api/session.tsx';
import { useData } from '../api/use-data.ts';
import { type Contract, type ContractTable, readContract } from './contract.ts';

/** The active contract of the workspace; null where there is none. */
export function useActiveContract(isOn = true) {
  const client = useClient();
  return useData(
    ['contracts', 'active'],
    async (signal) => {
      for await (const contract of client.contracts.list({ limit: 50 }, { signal }))
        if (contract.status === 'active') return contract;
      return null;
    },
    { isOn },
  );
}

/**
 * Whether a proposed contract can no longer be accepted: it changes the one that was active when it was proposed, and
 * another one is by now. Undefined until that is known.
 */
export function useIsOvertaken(contract: Pick<Contract, 'status' | 'base_id'> | undefined): boolean | undefined {
  const isProposed = contract?.status === 'proposed';
  const active = useActiveContract(isProposed);
  if (!isProposed) return false;
  return active.data === undefined ? undefined : contract.base_id !== (active.data?.id ?? null);
}

/** The tables by the active contract; none for those who may not see it. Undefined until they are known. */
export function useContractTables(): readonly ContractTable[] | undefined {
  const { can } = useSession();
  const isOn = can('view_models');
  const active = useActiveContract(isOn);
  const document = useContractDocument(active.data?.document);
  if (!isOn || active.isError || active.data === null || document.isError) return [];
  return document.data?.tables;
}

/** The names of tables by the active contract, to suggest them. */
export function useTables(): readonly string[] {
  return useContractTables()?.map(({ name }) => name) ?? [];
}

/** A contract's text, read; it never changes, and is kept by its text. */
export function useContractDocument(document: string | undefined) {
  return useQuery({
    queryKey: ['contract-document', document],
    queryFn: () => readContract(document!),
    enabled: document !== undefined,
    staleTime: Number.POSITIVE_INFINITY,
    placeholderData: keepPreviousData,
  });
}

import { Link } from '@tanstack/react-router';
import { useSession } from '../api/session.tsx';
import { useActiveContract } from '../data/use-contracts.ts';
import { useRolesWith } from '../kit/states.tsx';
import { useFormat } from '../words/format.ts';
import { useWords } from '../words/words.ts';
import { entityWords } from './words.ts';

const linkClass = 'rounded text-accent underline underline-offset-2';

/**
 * Why some entities have no key here and lead nowhere: their keys say who people are, and nobody is told them who does
 * not know them. With the way for who does.
 */
export function SomeHidden({ tables }: { readonly tables: readonly string[] }) {
  const w = useWords(entityWords);
  const format = useFormat();
  return (
    <p className="mt-2 text-ink2 text-meta">
      {w.someHidden(format.list(tables))}{' '}
      <Link to="/entities" search={{ table: tables[0] }} className={linkClass}>
        {w.findByKey}
      </Link>{' '}
      <WhoMarks table={tables[0]} />
    </p>
  );
}

/** The way to the contract, for who may change which keys it marks as personal; others hear who may. */
export function WhoMarks({ table }: { readonly table: string }) {
  const w = useWords(entityWords);
  const { can } = useSession();
  const mayEdit = can('upload_files');
  const contract = useActiveContract(mayEdit && can('view_models'));
  const roles = useRolesWith(mayEdit ? undefined : 'upload_files');
  if (!mayEdit) return roles && w.whoMarks(roles);
  return (
    contract.data && (
      <Link
        to="/data/contracts/$contract_id"
        params={{ contract_id: contract.data.id }}
        search={{ part: 'tables', table }}
        className={linkClass}
      >
        {w.markOtherwise}
      </Link>
    )
  );
}

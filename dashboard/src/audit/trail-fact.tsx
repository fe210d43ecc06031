import { Link } from '@tanstack/react-router';
import { useSession } from '../api/session.tsx';
import { useWords, words } from '../words/words.ts';

export const trailWords = words(
  { trail: 'Who did what', see: 'See the audit log' },
  { trail: 'Quem fez o quê', see: 'Ver a trilha de auditoria' },
);

/** What the audit log has of one thing, as a fact beside others; nothing for those who may not read the log. */
export function useTrailFact(id: string) {
  const w = useWords(trailWords);
  const { can } = useSession();
  return (
    can('view_activity_logs') &&
    ([
      w.trail,
      <Link key="trail" to="/audit" search={{ target_id: id }} className="text-accent underline underline-offset-2">
        {w.see}
      </Link>,
    ] as const)
  );
}

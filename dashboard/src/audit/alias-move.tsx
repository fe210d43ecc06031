import { Link } from '@tanstack/react-router';
import { useClient, useSession } from '../api/session.tsx';
import { useData } from '../api/use-data.ts';
import { Facts } from '../kit/page.tsx';
import { useFormat } from '../words/format.ts';
import { useWords } from '../words/words.ts';
import type { AuditEntry } from './trail.ts';
import { auditWords } from './words.ts';

/** What an alias left and came to in one act lies within so many milliseconds. */
const actMs = 2_000;

type Moved = { readonly modelId: string; readonly versionId: string; readonly alias: string };

/** What an entry says of a version that got or lost an alias; null of other entries. */
function movedBy({ action, target, data: { model_id: modelId, alias } }: AuditEntry): Moved | null {
  const isMove = action === 'model-version-promotion' || action === 'model-version-demotion';
  if (!isMove || target.id === null || typeof modelId !== 'string' || typeof alias !== 'string') return null;
  return { modelId, versionId: target.id, alias };
}

/** The model and the versions of the move of an alias by their names; undefined where they are not to be had. */
export function useAliasMove(entry: AuditEntry) {
  const client = useClient();
  const { can } = useSession();
  const moved = movedBy(entry);
  const { data } = useData(
    ['audit', 'alias-move', entry.id],
    async (signal) => {
      const { modelId, versionId, alias } = moved!;
      const at = Date.parse(entry.recorded_at);
      const isGiven = entry.action === 'model-version-promotion';
      const since = new Date(at - actMs).toISOString();
      const [{ name }, left] = await Promise.all([
        client.models.get(modelId, { signal }),
        isGiven ? client.events.list({ type: 'model-version-demotion', since, limit: 100 }, { signal }) : null,
      ]);
      const before = left?.data.findLast(
        ({ created_at: when, data }) => data.model_id === modelId && data.alias === alias && Date.parse(when) <= at + 1,
      );
      const numberOf = async (id: string) => (await client.models.versions.get(modelId, id, { signal })).number;
      const ids = [versionId, ...(before ? [before.resource_id] : [])];
      const [number, numberBefore] = await Promise.all(ids.map(numberOf));
      return { ...moved!, name, number, numberBefore: numberBefore as number | undefined };
    },
    { isOn: moved !== null && can('view_models') },
  );
  return data;
}

/** Which version has got or lost which alias, and which one had it before. */
export function AliasMove({ of }: { readonly of: NonNullable<ReturnType<typeof useAliasMove>> }) {
  const w = useWords(auditWords);
  const format = useFormat();
  const { modelId, versionId, alias, name, number, numberBefore } = of;
  return (
    <Facts
      columns={2}
      of={[
        [w.alias, alias],
        [
          w.version,
          <span key="version">
            <Link
              to="/models/$model_id/versions/$version_id"
              params={{ model_id: modelId, version_id: versionId }}
              className="rounded text-accent underline underline-offset-2"
            >
              {w.versionOf(name, format.integer(number))}
            </Link>
            {numberBefore !== undefined && w.before(format.integer(numberBefore))}
          </span>,
        ],
      ]}
    />
  );
}

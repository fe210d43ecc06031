import { presentCreator } from '../../../../api/created-by.ts';
import { type Block, facts, table, text } from '../blocks.ts';
import type { Say } from '../say.ts';
import type { VersionAct } from '../sql.ts';
import type { Told } from '../told.ts';

/** Who made the version, of which files it is, and what became of it. */
export function governance({ version, run, acts }: Told, say: Say): Block[] {
  const { words } = say;
  const w = words.governance;
  const history = acts.map(({ recorded_at, action, actor_type, actor_id, actor_label, data }) => [
    say.instant(recorded_at),
    w.acts[action as VersionAct],
    (data as { readonly alias?: string }).alias ?? '',
    whoOf({ type: actor_type, id: actor_id, label: actor_type === 'user' ? null : actor_label }, say),
  ]);
  return [
    facts([
      [w.run, version.training_run_id],
      [w.by, whoOf(presentCreator(version), say)],
      [w.started, run?.started_at ? say.instant(run.started_at) : words.notKept],
      [w.finished, run?.finished_at ? say.instant(run.finished_at) : words.notKept],
      [w.made, say.instant(version.created_at)],
    ]),
    history.length === 0
      ? text(`${w.history}: ${words.none}.`)
      : table([w.when, w.what, w.alias, w.who], history, w.history),
    table([w.file, 'SHA-256'], Object.entries(version.files).sort(), w.files),
  ];
}

/** A person is told by the id alone: addresses change, and people leave. */
function whoOf(
  who: { readonly type: string; readonly id: string | null; readonly label: string | null } | null,
  { words }: Say,
): string {
  if (who === null) return words.unknown;
  const type = words.governance.actors[who.type as keyof typeof words.governance.actors] ?? who.type;
  return [type, who.label, who.id].filter((part) => part !== null && part !== '').join(' ');
}

import { readAll } from '../api/read-all.ts';
import { useSession } from '../api/session.tsx';
import { useData } from '../api/use-data.ts';
import { membersMost } from '../api/use-members.ts';
import { useNouns } from '../api/use-nouns.ts';
import { useWords } from '../words/words.ts';
import { auditWords } from './words.ts';

/** Somebody or something by the name that people know, of which entries have the id. */
export type Named = {
  readonly id: string;
  readonly name: string;
  /** Other words by which it is looked for. */
  readonly also?: readonly string[];
};

const pageSize = 200;

/**
 * Who acts and what is acted on in the workspace or organization, by name: people and keys, and for targets models,
 * tasks and webhooks as well; as far as the reader may see them. Nothing is fetched until somebody `isWanted`.
 */
export function useKnownNames(
  isOfOrganization: boolean,
  isWanted: boolean,
): { readonly actors: readonly Named[]; readonly targets: readonly Named[] } {
  const w = useWords(auditWords);
  const { client, can, canInOrganization } = useSession();
  const { members } = useNouns(isOfOrganization);
  const mayOpen = (permission: Parameters<typeof can>[0]) => isWanted && !isOfOrganization && can(permission);
  const people = useData(
    ['members', 'named', isOfOrganization],
    (signal) => readAll(members.list({ limit: pageSize }, { signal }), membersMost),
    { isOn: isWanted && (isOfOrganization ? canInOrganization : can)('view_members') },
  );
  const keys = useData(
    ['api-keys', 'named'],
    (signal) => readAll(client.apiKeys.list({ limit: pageSize }, { signal }), membersMost),
    { isOn: mayOpen('manage_api_keys') },
  );
  const learned = useData(
    ['models', 'named'],
    async (signal) => {
      const all = await Promise.all([
        readAll(client.models.list({ limit: pageSize }, { signal }), membersMost),
        readAll(client.tasks.list({ limit: pageSize }, { signal }), membersMost),
      ]);
      return { models: all[0], tasks: all[1] };
    },
    { isOn: mayOpen('view_models') },
  );
  const webhooks = useData(
    ['webhooks', 'named'],
    (signal) => readAll(client.webhooks.list({ limit: pageSize }, { signal }), membersMost),
    { isOn: mayOpen('manage_webhooks') },
  );
  // Somebody with several roles is one person.
  const byId = new Map(people.data?.map(({ user_id: id, name, email }) => [id, name ? `${name} (${email})` : email]));
  const actors = [
    ...Array.from(byId, ([id, name]) => ({ id, name })),
    ...called(keys.data, w.actorTypes.api_key, ({ name }) => name),
  ];
  const targets = [
    ...called(learned.data?.models, w.model, ({ name }) => name),
    ...called(learned.data?.tasks, w.task, ({ name }) => name),
    ...called(webhooks.data, 'Webhook', ({ url }) => url),
  ];
  return { actors: apart(actors), targets: apart([...actors, ...targets]) };
}

function called<T extends { readonly id: string }>(
  all: readonly T[] | undefined,
  kind: string,
  nameOf: (one: T) => string,
): readonly Named[] {
  return all?.map((one) => ({ id: one.id, name: `${nameOf(one)} · ${kind}` })) ?? [];
}

/** Those of the same name are told apart by the ends of their ids. */
function apart(all: readonly Named[]): readonly Named[] {
  const counts = Map.groupBy(all, ({ name }) => name);
  return all.map((one) =>
    counts.get(one.name)!.length > 1 ? { ...one, name: `${one.name} …${one.id.slice(-6)}` } : one,
  );
}

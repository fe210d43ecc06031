import type { Context } from '../../access/context.ts';
import { tenant } from '../../access/transactions.ts';
import { lackingInputs } from '../../ml/version/input-requests.ts';
import { alsoNamed } from '../../ml/version/other-names.ts';
import { dayInput, type Field } from '../../ml/version/schema.ts';
import { endpointColumn } from '../../serving/rows/targets.ts';
import { currentSnapshot } from '../../serving/snapshot.ts';
import type { App } from '../app.ts';
import type { FileRow } from '../files/file.ts';
import { leaves } from '../job.ts';
import { selectSnapshotContract, selectVersions } from './sql.ts';
import { listTargets } from './target.ts';
import type { inspectFiles } from './work/inspect-files.ts';

/** Most targets and columns that a sentence names. */
const namedMax = 5;

/**
 * Looks at a file whose rows name their models, before a batch is made of it. Returns what would keep all or some of it
 * from being scored, a sentence each; none for a file that is as it should be. Throws what a retry may cure.
 */
export async function inspectAhead(
  app: App,
  ctx: Context,
  file: FileRow,
  { name, rowsMax, signal }: { readonly name: string; readonly rowsMax: number; readonly signal: AbortSignal },
): Promise<string[]> {
  const { targets, contract } = await tenant(app.db, ctx, async (tx) => {
    const snapshot = await currentSnapshot(tx, ctx);
    return {
      targets: await listTargets(tx),
      contract: snapshot ? await selectSnapshotContract(tx, snapshot.id) : null,
    };
  });
  if (contract === null) return ['the workspace has no data yet, and so no model that could score rows'];
  const input = {
    files: [{ path: await app.storage.localPath(file.storage_key, file.sha256), name }],
    ...{ contract, dayColumn: dayInput, targets: Object.keys(targets) },
  };
  const options = {
    ...{ signal, group: ctx.workspaceId, leaves: leaves.scoring },
    about: { workspace: ctx.workspaceId, file: file.id },
  };
  const [plan] = await app.compute!.run<typeof inspectFiles>({ name: 'inspectFiles', input }, options);
  if (plan!.kind === 'unreadable') return [plan!.detail];
  const { rows, columns, endpoints, otherNames } = plan!;
  const problems: string[] = [];
  if (rows === 0) problems.push(`${name} has no rows`);
  if (rows > rowsMax) problems.push(`${name} has ${rows} rows, and at most ${rowsMax} are taken: split it`);
  if (endpoints === null)
    return [
      ...problems,
      `${name} has no column ${endpointColumn}, which says for each row what scores it: ${some(targets)}`,
    ];
  if (endpoints.length === 0)
    return [...problems, `no row of ${name} has an ${endpointColumn} that there is: ${some(targets)}`];
  const present = new Set(columns.map((column) => column.toLowerCase()));
  const versions = await tenant(app.db, ctx, (tx) =>
    selectVersions(tx, [...new Set(endpoints.map((of) => targets[of]!))]),
  );
  for (const endpoint of endpoints.slice(0, namedMax)) {
    const { inputs } = versions.find(({ id }) => id === targets[endpoint])!;
    const lacking = lackingInputs(
      alsoNamed(inputs as Field[], otherNames),
      (column) => present.has(column.toLowerCase()),
      false,
    );
    if (lacking.length > 0)
      problems.push(`${name} lacks ${lacking.slice(0, namedMax).join(', ')}, which ${endpoint} needs`);
  }
  return problems;
}

/** The targets with an alias, by the names of their models: what people would write. */
function some(targets: Readonly<Record<string, string>>): string {
  const named = Object.keys(targets).filter((target) => !/^mdl_|\/ver_/.test(target));
  if (named.length === 0) return 'there is none yet';
  const more = named.length > namedMax ? ` and ${named.length - namedMax} more` : '';
  return `${named.slice(0, namedMax).join(', ')}${more}`;
}

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
import { type ToldProblem, tellFileProblem } from './file-problems.ts';
import { selectSnapshotContract, selectVersions } from './sql.ts';
import { listTargets } from './target.ts';
import type { inspectFiles } from './work/inspect-files.ts';

/** Most targets and columns that a sentence names. */
const namedMax = 5;

/**
 * Looks at a file whose rows name their models, before a batch is made of it. Returns what would keep all or some of it
 * from being scored; none for a file that is as it should be. Throws what a retry may cure.
 */
export async function inspectAhead(
  app: App,
  ctx: Context,
  file: FileRow,
  { name, rowsMax, signal }: { readonly name: string; readonly rowsMax: number; readonly signal: AbortSignal },
): Promise<ToldProblem[]> {
  const { targets, contract } = await tenant(app.db, ctx, async (tx) => {
    const snapshot = await currentSnapshot(tx, ctx);
    return {
      targets: await listTargets(tx),
      contract: snapshot ? await selectSnapshotContract(tx, snapshot.id) : null,
    };
  });
  if (contract === null) return [tellFileProblem({ code: 'workspace_empty' })];
  const input = {
    files: [{ path: await app.storage.localPath(file.storage_key, file.sha256), name }],
    ...{ contract, dayColumn: dayInput, targets: Object.keys(targets) },
  };
  const options = {
    ...{ signal, group: ctx.workspaceId, leaves: leaves.scoring },
    about: { workspace: ctx.workspaceId, file: file.id },
  };
  const [plan] = await app.compute!.run<typeof inspectFiles>({ name: 'inspectFiles', input }, options);
  if (plan!.kind === 'unreadable') return [{ message: plan!.detail }];
  const { rows, columns, endpoints, otherNames } = plan!;
  const problems: ToldProblem[] = [];
  const ofFile = { file: name, column: endpointColumn };
  if (rows === 0) problems.push(tellFileProblem({ code: 'file_without_rows', file: name }));
  if (rows > rowsMax) problems.push(tellFileProblem({ code: 'file_too_long', file: name, rows, most: rowsMax }));
  if (endpoints === null)
    return [...problems, tellFileProblem({ code: 'file_without_endpoint', ...ofFile, ...some(targets) })];
  if (endpoints.length === 0)
    return [...problems, tellFileProblem({ code: 'endpoints_unknown', ...ofFile, ...some(targets) })];
  const present = new Set(columns.map((column) => column.toLowerCase()));
  const versions = await tenant(app.db, ctx, (tx) =>
    selectVersions(tx, [...new Set(endpoints.map((of) => targets[of]!))]),
  );
  const lackingFor = (endpoint: string): string[] => {
    const { inputs } = versions.find(({ id }) => id === targets[endpoint])!;
    const has = (column: string) => present.has(column.toLowerCase());
    return lackingInputs(alsoNamed(inputs as Field[], otherNames), has, false);
  };
  const lacking = endpoints
    .map((endpoint) => ({ endpoint, columns: lackingFor(endpoint).slice(0, namedMax) }))
    .filter(({ columns }) => columns.length > 0)
    .slice(0, namedMax);
  return [...problems, ...lacking.map((one) => tellFileProblem({ code: 'file_lacks_inputs', file: name, ...one }))];
}

/** The targets with an alias, by the names of their models: what people would write. */
function some(targets: Readonly<Record<string, string>>) {
  const named = Object.keys(targets).filter((target) => !/^mdl_|\/ver_/.test(target));
  return { endpoints: named.slice(0, namedMax), more: Math.max(0, named.length - namedMax) };
}

import { Failure, type Problem } from '../lib/failure.ts';
import { helpOf, type Usage } from './arguments.ts';

type Output = { write(text: string): unknown };
type Say = (line: string) => void;

const help = `lastro: predictions from the network of dated relationships

  contract infer <folder>     propose a data contract for a folder of tables
  contract check|diff …       check files against a contract, compare two contracts
  fit <folder> --task …       learn a task and write a version folder
  predict <version> --data …  predict the rows of a file with a version
  eval <dataset> --task …     learn a task, say how well, predict its test rows
  evaluate <version> --in …   say what a version was worth on rows with labels, or which of two is better
  gfm demo-economy …          make up an economy: a graph, tables and tasks
  gfm import <files…>         make a store of dated facts
  gfm train <store> …         train a version of the graph model on it
  gfm publish <version>       release a version to the workspaces of the service
  gfm embed <version> …       the vector of a company, a person or an asset as of a day
  gfm evaluate <folder>       what a version knows; or learn to predict the links of a dated graph, and say how well
  gfm demo-version …          make the version that comes with the service
  rfm train <folder> …        learn without labels what an entity's events usually lead to
  rfm feedback <encoder> …    fine-tune a copy of an encoder on the labels of a task
  rfm evaluate <dataset> …    what an encoder adds with few labels
  rfm export|serve …          take an encoder and models home, embed and score there
  demo                        a lender made up here, from tables to scores in a minute
  replay …                    answer predictions of the log again, and say whether they are the same to the byte

  all                         run the service: API, jobs, and the embedded database unless DATABASE_URL names one
  api | worker | sftp         run one part of it, on a database and storage that several share
  backup <folder>             copy database and stored files, while the service runs
  restore <folder>            make an installation again from a backup, in an empty place
  audit verify <export>       verify an export of the audit trail, without the service
  admin bootstrap …           make an organization, and print its first key
  admin organization create|show|suspend|resume
  admin feature enable|disable …
  admin quota set|show … | price-plan set …
  admin keys list|create|revoke
  admin queue                 show what waits, and whose it is
  admin weigh …               give a workspace more or less time
  admin interrupt …           end work of a workspace
  admin sftp-host-key show|rotate
  admin ip-rules clear        let an organization in again that has locked itself out
  admin sign-in …             make a link by which a person signs in once
  admin help                  what each of them takes
  openapi                     write the API document and the tables of error codes and settings

lastro <command> --help says what a command takes.
`;

/**
 * Runs the command that `args` name. Results go to `out`; progress and refusals go to `say`, one line at a time.
 * Returns the exit code: 0; 1 when a check found something; 2 when the command was refused. Throws only faults of our
 * own.
 */
export async function runCommand(args: readonly string[], out: Output, say: Say): Promise<number> {
  try {
    return await dispatch(args, out, say);
  } catch (error) {
    const refusal = error instanceof Failure ? error : refusedBySystem(error);
    if (refusal === null) throw error;
    say(`error: ${refusal.message}`);
    sayProblems(refusal, say);
    return 2;
  }
}

/** Loads a command when it is asked for: the code of all of them takes three seconds of a processor to load. */
async function dispatch([command, ...rest]: readonly string[], out: Output, say: Say): Promise<number> {
  const run = (usage: Usage, start: () => Promise<number>) => {
    if (!rest.includes('--help') && !rest.includes('-h')) return start();
    out.write(helpOf(usage));
    return 0;
  };
  switch (command) {
    case 'audit': {
      const { auditVerifyCommand, auditVerifyUsage } = await import('./audit-verify.ts');
      if (rest[0] !== 'verify') throw new Failure('invalid', `usage: lastro ${auditVerifyUsage.usage}`);
      return run(auditVerifyUsage, () => auditVerifyCommand(rest.slice(1), out));
    }
    case 'contract':
      return (await import('./contract.ts')).contractCommand(rest, out, say);
    case 'fit': {
      const { fitCommand, fitUsage } = await import('./fit.ts');
      return run(fitUsage, () => fitCommand(rest, say));
    }
    case 'predict': {
      const { predictCommand, predictUsage } = await import('./predict.ts');
      return run(predictUsage, () => predictCommand(rest, say));
    }
    case 'gfm':
      return (await import('./gfm.ts')).gfmCommand(rest, out, say);
    case 'rfm':
      return (await import('./rfm.ts')).rfmCommand(rest, out, say);
    case 'demo': {
      const { demoCommand, demoUsage } = await import('./demo/demo.ts');
      return run(demoUsage, () => demoCommand(rest, out, say));
    }
    case 'eval': {
      const { evalCommand, evalUsage } = await import('./eval.ts');
      return run(evalUsage, () => evalCommand(rest, say));
    }
    case 'evaluate': {
      const { evaluateCommand, evaluateUsage } = await import('./evaluate.ts');
      return run(evaluateUsage, () => evaluateCommand(rest, say));
    }
    case 'all':
    case 'api':
    case 'worker':
    case 'sftp':
      return (await import('./serve.ts')).serveCommand(command, say);
    case 'backup': {
      const { backupCommand, backupUsage } = await import('./backup/backup.ts');
      return run(backupUsage, () => backupCommand(rest, say));
    }
    case 'restore': {
      const { restoreCommand, restoreUsage } = await import('./backup/restore.ts');
      return run(restoreUsage, () => restoreCommand(rest, say));
    }
    case 'replay': {
      const { replayCommand, replayUsage } = await import('./replay.ts');
      return run(replayUsage, () => replayCommand(rest, out, say));
    }
    case 'openapi': {
      const { openapiCommand, openapiUsage } = await import('./openapi.ts');
      return run(openapiUsage, () => openapiCommand(rest, say));
    }
    case 'admin':
      return (await import('./admin.ts')).adminCommand(rest, { write: (text) => out.write(text), say });
    case undefined:
    case 'help':
    case '--help':
    case '-h':
      out.write(help);
      return 0;
    default:
      throw new Failure('invalid', `there is no command ${command}\n\n${help}`);
  }
}

const systemReasons: Readonly<Record<string, string>> = {
  EACCES: 'may not be opened',
  EPERM: 'may not be opened',
  EROFS: 'lies on a disk that may not be written to',
  EISDIR: 'is a folder where a file is expected',
  ENOTDIR: 'lies in something that is not a folder',
  ENOENT: 'cannot be opened: it, or its folder, does not exist',
  ENOSPC: 'does not fit on the disk',
  EMFILE: 'cannot be opened: too many files are open',
};

/**
 * Turns an operating system error about a file into a Failure, since the caller can fix it. Returns null for other
 * errors.
 */
function refusedBySystem(error: unknown): Failure | null {
  if (!(error instanceof Error) || !('code' in error)) return null;
  const reason = systemReasons[String(error.code)];
  if (reason === undefined) return null;
  const message = 'path' in error ? `${error.path} ${reason}` : error.message;
  return new Failure('invalid', message, { cause: error });
}

const problemsShown = 20;

/** Prints the problems that the message does not contain. */
function sayProblems({ message, problems }: { message: string; problems: readonly Problem[] }, say: Say): void {
  const untold = problems.filter((problem) => !message.includes(problem.message));
  for (const problem of untold.slice(0, problemsShown)) say(`  ${problem.at}: ${problem.message}`);
  if (untold.length > problemsShown) say(`  … and ${untold.length - problemsShown} more`);
}

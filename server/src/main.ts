import { runCommand } from './commands/run.ts';

process.exitCode = await runCommand(process.argv.slice(2), process.stdout, (line) => process.stderr.write(`${line}\n`));

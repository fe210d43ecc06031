import { runCommand } from './commands/run.ts';

// Whoever reads the output may have read enough: `lastro admin help | head`.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
  process.exit();
});
process.exitCode = await runCommand(process.argv.slice(2), process.stdout, (line) => process.stderr.write(`${line}\n`));

import { contractCommand } from './commands/contract.ts';
import { demoCommand } from './commands/demo/demo.ts';
import { evalCommand } from './commands/eval.ts';
import { fitCommand } from './commands/fit.ts';
import { predictCommand } from './commands/predict.ts';
import { Failure } from './lib/failure.ts';

const help = `lastro: predictions from the network of dated relationships

  contract infer <folder>     propose a data contract for a folder of tables
  contract check|diff …       check files against a contract, compare two contracts
  fit <folder> --task …       learn a task and write a version folder
  predict <version> --data …  predict the rows of a file with a version
  eval <dataset> --task …     learn a task, say how well, predict its test rows
  demo                        a lender made up here, from tables to scores in a minute
`;

const say = (line: string) => process.stderr.write(`${line}\n`);

async function run([command, ...rest]: string[]): Promise<number> {
  switch (command) {
    case 'contract':
      return contractCommand(rest, process.stdout, say);
    case 'fit':
      return fitCommand(rest, say);
    case 'predict':
      return predictCommand(rest, say);
    case 'demo':
      return demoCommand(rest, process.stdout, say);
    case 'eval':
      return evalCommand(rest, say);
    case undefined:
    case 'help':
    case '--help':
      process.stdout.write(help);
      return 0;
    default:
      throw new Failure('invalid', `there is no command ${command}\n\n${help}`);
  }
}

try {
  process.exitCode = await run(process.argv.slice(2));
} catch (error) {
  if (!(error instanceof Failure)) throw error;
  say(`error: ${error.message}`);
  process.exitCode = 2;
}

import { serveTasks } from './lib/processes/serve.ts';
import { compareContract } from './resources/contracts/parsing.ts';
import { readSearched } from './resources/erasures/parsing.ts';
import { compareStored, readTableNames } from './resources/ingestions/parsing.ts';
import { compareReads } from './resources/monitors/parsing.ts';
import { checkSegments, readDefinition, readEntity, readTold } from './resources/tasks/parsing.ts';
import { readObjective } from './resources/training-runs/parsing.ts';

/** The tasks that read what customers wrote, in child processes of their own: they hold up nobody's requests. */
export const handlers = {
  checkSegments,
  compareContract,
  compareReads,
  compareStored,
  readDefinition,
  readEntity,
  readObjective,
  readSearched,
  readTableNames,
  readTold,
};

serveTasks(handlers);

import { serveTasks } from './lib/processes/serve.ts';
import { handlers } from './resources/compute.ts';

serveTasks(handlers);

import type { Schemas } from '@lastro/sdk';

export type Task = Schemas['Task'];

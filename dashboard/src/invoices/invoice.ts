import type { Schemas } from '@lastro/sdk';

export type Invoice = Schemas['Invoice'];

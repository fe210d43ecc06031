import type { Schemas } from '@lastro/sdk';

export type Invoice = Schemas['Invoice'];
export type InvoiceLine = Schemas['InvoiceLine'];

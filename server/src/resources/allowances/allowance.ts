import type { Pace } from '../../access/rate-limit.ts';
import type { QuotaResource } from '../meters/quota.ts';

/** A quota of a workspace, or of all workspaces of its organization together, and what has been used of it. */
export type QuotaUse = {
  readonly resource: QuotaResource;
  readonly of: 'workspace' | 'organization';
  readonly limit: number;
  /** In this month, as far as it has been metered; null of what is not counted by the month. */
  readonly used: number | null;
};

/** What a workspace may use in this month, and what of it has been used. */
export type Allowance = {
  /** Of the workspace, on its own clocks: YYYY-MM-01. */
  readonly month: string;
  /** When the next month begins. */
  readonly resetsAt: Date;
  readonly quotas: readonly QuotaUse[];
  /** What the price plan says instead of the installation. */
  readonly rates: Readonly<Partial<Record<Pace, number>>>;
};

// What the operator of the host charges.
import { readFile } from 'node:fs/promises';
import { Failure } from '../lib/failure.ts';
import type { App } from '../resources/app.ts';
import { setPricePlan } from '../resources/organizations/set-price-plan.ts';
import { createPlan } from '../resources/price-plans/create.ts';
import { listPlans, showPlan } from '../resources/price-plans/find.ts';
import { weighByPlans } from '../resources/price-plans/weigh.ts';
import { adminPricePlanUsage } from './admin-usage.ts';
import { type Arguments, readArguments, requireOptions, requireWord } from './arguments.ts';
import { besideService, type Told } from './beside.ts';

type Act = {
  readonly required: readonly string[];
  /** Reads the options, before anything is opened, and returns what to do. */
  prepare(values: Arguments['values']): Promise<(app: App) => Promise<unknown>>;
};

/** Defines and shows price plans, and puts organizations on them. */
export async function adminPricePlanCommand(args: readonly string[], out: Told): Promise<number> {
  const { words, values } = readArguments(args, adminPricePlanUsage);
  const act = acts[requireWord(words, 1, Object.keys(acts), adminPricePlanUsage)];
  requireOptions(values, act.required, adminPricePlanUsage);
  const run = await act.prepare(values);
  return besideService(out, ({ app }) => run(app));
}

const acts: Readonly<Record<string, Act>> = {
  create: {
    required: ['plan', 'file'],
    async prepare({ plan, file }) {
      const text = await readFile(file!, 'utf8').catch((error) => {
        throw new Failure('invalid', `${file} cannot be read: ${error.message}`, { cause: error });
      });
      return async (app) => {
        const created = await createPlan(app.db, plan!, text);
        await weighByPlans(app.db, app.queue);
        return created;
      };
    },
  },
  list: {
    required: [],
    prepare:
      async () =>
      ({ db }) =>
        listPlans(db),
  },
  show: {
    required: ['plan'],
    async prepare({ plan, version }) {
      if (version !== undefined && !/^[1-9]\d{0,8}$/.test(version))
        throw new Failure('invalid', `--version must be a whole number from 1, not ${version}`);
      return ({ db }) => showPlan(db, plan!, version === undefined ? undefined : Number(version));
    },
  },
  set: {
    required: ['organization', 'plan'],
    async prepare({ organization, plan }) {
      return async (app) => {
        await setPricePlan(app.db, organization!, plan!);
        await weighByPlans(app.db, app.queue);
        return { organization_id: organization, price_plan: plan };
      };
    },
  },
};

import type { Context } from '../../access/context.ts';
import type { Scope } from '../../access/scope.ts';
import { tenant } from '../../access/transactions.ts';
import { type Route, route } from '../../api/route.ts';
import type { App } from '../app.ts';
import { changeDefaults, changePreferences } from './change.ts';
import { getDefaults, getPreferences } from './get.ts';
import { defaultsChange, defaultsSchema, preferencesChange, preferencesSchema } from './preference.ts';

const places = [
  { scope: 'workspace', path: '/v1/api', prefix: 'notification', where: 'in the workspace' },
  {
    scope: 'organization',
    path: '/v1/api/organization',
    prefix: 'organizationNotification',
    where: 'of the organization as a whole',
  },
] as const;

export const notificationPreferenceRoutes = (app: App): Route[] => places.flatMap((place) => routesIn(app, place));

function routesIn(app: App, { scope, path, prefix, where }: (typeof places)[number]): Route[] {
  const preferences = { path: `${path}/notification-preferences`, scope, access: 'view_members' } as const;
  const defaults = { path: `${path}/notification-defaults`, scope } as const;
  const inScope = (ctx: Context<Scope>, work: Parameters<typeof tenant<object>>[2]) => tenant(app.db, ctx, work);
  return [
    route(
      {
        ...{ method: 'GET', ...preferences, operation: `${prefix}Preferences.get` },
        summary: `What you are told ${where}, by which channels, and whose choice that is`,
        description: 'Of the events that you may read.',
        answers: { 200: preferencesSchema },
      },
      async (ctx) => ({ status: 200, body: await inScope(ctx, (tx) => getPreferences(tx, ctx)) }),
    ),
    route(
      {
        ...{ method: 'PATCH', ...preferences, operation: `${prefix}Preferences.update` },
        summary: `Choose what you are told ${where}`,
        ...{ channels: ['dashboard'], archived: 'admitted', body: preferencesChange },
        answers: { 200: preferencesSchema },
      },
      async (ctx, { body }) => ({
        status: 200,
        body: await inScope(ctx, async (tx) => {
          await changePreferences(tx, ctx, body);
          return getPreferences(tx, ctx);
        }),
      }),
    ),
    route(
      {
        ...{ method: 'GET', ...defaults, access: 'view_members', operation: `${prefix}Defaults.get` },
        summary: `What people are told ${where} who have chosen nothing themselves`,
        answers: { 200: defaultsSchema },
      },
      async (ctx) => ({ status: 200, body: await inScope(ctx, (tx) => getDefaults(tx, ctx)) }),
    ),
    route(
      {
        ...{ method: 'PATCH', ...defaults, access: 'create_workspaces', operation: `${prefix}Defaults.update` },
        summary: `Choose what people are told ${where} who have chosen nothing themselves`,
        ...{ channels: ['dashboard'], body: defaultsChange },
        answers: { 200: defaultsSchema },
      },
      async (ctx, { body: { preferences: changes } }) => ({
        status: 200,
        body: await inScope(ctx, async (tx) => {
          await changeDefaults(tx, ctx, changes);
          return getDefaults(tx, ctx);
        }),
      }),
    ),
  ];
}

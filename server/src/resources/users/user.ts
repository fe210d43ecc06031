import { Type } from 'typebox';
import { permissionNames, permissionsOf, type Role, roles } from '../../access/authorize.ts';
import { answerOf } from '../../api/named.ts';
import { nullable } from '../../api/nullable.ts';
import type { selectPlaces, UserRow } from './sql.ts';

export const languageSchema = Type.Union([Type.Literal('en'), Type.Literal('pt-BR')]);
export const roleSchema = Type.Union(roles.map((role) => Type.Literal(role)));

export const userExample = {
  id: 'usr_019f2e0c51b27c4e8a5d6f7a8b9c0d1e',
  email: 'ana@company.com',
  name: 'Ana Souza',
  language: 'pt-BR',
  language_chosen: true,
  email_verified_at: '2026-03-02T12:00:00.000Z',
  created_at: '2026-03-02T12:00:00.000Z',
  organizations: [
    {
      ...{ id: 'org_019f2e0c51b27c4e8a5d6f7a8b9c0d1e', name: 'Company', role: 'creator' },
      permissions: permissionsIn(['creator']),
    },
  ],
  workspaces: [
    {
      id: 'ws_019f2e0c51b27c4e8a5d6f7a8b9c0d1e',
      organization_id: 'org_019f2e0c51b27c4e8a5d6f7a8b9c0d1e',
      name: 'Lending',
      status: 'active',
      language: 'pt-BR',
      time_zone: 'America/Sao_Paulo',
      roles: ['creator'],
      permissions: permissionsIn(['creator']),
    },
  ],
};

const permissionsSchema = Type.Array(Type.Union(permissionNames.map((name) => Type.Literal(name))), {
  description: 'What the roles there allow.',
});

/** The account of whoever asks, and where they have which roles. */
export const userSchema = answerOf('User', userExample, {
  id: Type.String(),
  email: Type.String(),
  name: Type.String(),
  language: Type.Union(languageSchema.anyOf, { description: 'Of mails and the inbox.' }),
  language_chosen: Type.Boolean({
    description: 'Whether it was said by a change of the account, or when it was made; until then it is en.',
  }),
  email_verified_at: nullable(Type.String({ description: 'When the address was last proved; null if never.' })),
  created_at: Type.String(),
  organizations: Type.Array(
    Type.Object({
      id: Type.String(),
      name: Type.String(),
      role: nullable(Type.String({ description: 'The role in the whole organization; null with workspaces alone.' })),
      permissions: permissionsSchema,
    }),
  ),
  workspaces: Type.Array(
    Type.Object({
      id: Type.String(),
      organization_id: Type.String(),
      name: Type.String(),
      status: Type.String(),
      language: Type.String({ description: 'Of the reasons of its predictions.' }),
      time_zone: Type.String({ description: 'In which its days begin and end.' }),
      roles: Type.Array(Type.String(), { description: 'There, and in the whole organization.' }),
      permissions: permissionsSchema,
    }),
  ),
});

/** What somebody with these roles may do, in the order of the matrix. */
function permissionsIn(held: readonly string[]): string[] {
  // Roles of the database are those of the matrix.
  return [...permissionsOf(held as readonly Role[], null)];
}

export function presentUser(row: UserRow, { organizations, workspaces }: Awaited<ReturnType<typeof selectPlaces>>) {
  return {
    id: row.id,
    email: row.email,
    name: row.display_name,
    language: row.language,
    language_chosen: row.language_chosen,
    email_verified_at: row.email_verified_at?.toISOString() ?? null,
    created_at: row.created_at.toISOString(),
    organizations: organizations.map((one) => ({ ...one, permissions: permissionsIn(one.role ? [one.role] : []) })),
    workspaces: workspaces.map((one) => ({ ...one, permissions: permissionsIn(one.roles) })),
  };
}

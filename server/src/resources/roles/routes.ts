import { Type } from 'typebox';
import { permissionNames, permissionsOf, roles } from '../../access/authorize.ts';
import { type Route, route } from '../../api/route.ts';

const roleMatrix = Type.Object(
  {
    data: Type.Array(
      Type.Object({
        role: Type.Union(roles.map((role) => Type.Literal(role))),
        permissions: Type.Array(Type.Union(permissionNames.map((name) => Type.Literal(name)))),
      }),
    ),
  },
  { title: 'Roles', examples: [{ data: [{ role: 'auditor', permissions: [...permissionsOf(['auditor'], null)] }] }] },
);

export const roleRoutes = (): Route[] => [
  route(
    {
      method: 'GET',
      path: '/v1/api/roles',
      operation: 'roles.list',
      summary: 'The roles and what each of them may do',
      ...{ access: 'user', scope: 'user', channels: ['dashboard'] },
      answers: { 200: roleMatrix },
    },
    async () => ({
      status: 200,
      body: { data: roles.map((role) => ({ role, permissions: [...permissionsOf([role], null)] })) },
    }),
  ),
];

import type { ReactNode } from 'react';
import { type Permission, useSession } from '../api/session.tsx';
import { Button, type ButtonProps } from './button.tsx';
import { useBlock } from './states.tsx';

/** What somebody may do; in its place, for who may not, a button that does nothing and says which roles may. */
export function Allowed({
  permission,
  label,
  kind = 'primary',
  children,
}: {
  readonly permission: Permission;
  readonly label: string;
  readonly kind?: ButtonProps['kind'];
  readonly children: ReactNode;
}) {
  const { can } = useSession();
  const block = useBlock(permission);
  if (can(permission)) return children;
  return (
    <Button kind={kind} blocked={block}>
      {label}
    </Button>
  );
}

import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';

/**
 * A link to an address told as text, query and all, as of a notification. `to` of a link takes no query: it would become
 * part of the path, or come to stand before a second one. `href` goes before `to`, which the types want.
 */
export function PathLink({
  path,
  className,
  children,
}: {
  readonly path: string;
  readonly className: string;
  readonly children: ReactNode;
}) {
  return (
    <Link to="/" href={path} className={className}>
      {children}
    </Link>
  );
}

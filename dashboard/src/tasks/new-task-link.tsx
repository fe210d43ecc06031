import { Link } from '@tanstack/react-router';
import { Allowed } from '../kit/allowed.tsx';
import { buttonClass } from '../kit/button.tsx';

/** Leads to a new task whoever may create one. */
export function NewTaskLink({ label }: { readonly label: string }) {
  return (
    <Allowed permission="manage_aliases" label={label}>
      <Link to="/tasks/new" className={buttonClass('primary')}>
        {label}
      </Link>
    </Allowed>
  );
}

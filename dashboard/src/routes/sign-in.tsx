import { createFileRoute } from '@tanstack/react-router';
import { SignIn } from '../sign-in/sign-in.tsx';

export const Route = createFileRoute('/sign-in')({
  validateSearch: (search): { return_to?: string; ended?: boolean } => ({
    ...(typeof search.return_to === 'string' && search.return_to.startsWith('/') && !search.return_to.startsWith('//')
      ? { return_to: search.return_to }
      : {}),
    ...(search.ended === true ? { ended: true } : {}),
  }),
  component: SignIn,
});

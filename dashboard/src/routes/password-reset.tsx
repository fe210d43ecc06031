import { createFileRoute } from '@tanstack/react-router';
import { PasswordReset } from '../sign-in/password-reset.tsx';

export const Route = createFileRoute('/password-reset')({ component: PasswordReset });

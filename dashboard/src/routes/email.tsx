import { createFileRoute } from '@tanstack/react-router';
import { EmailVerification } from '../sign-in/verification.tsx';

export const Route = createFileRoute('/email')({ component: EmailVerification });

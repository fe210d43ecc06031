import { createFileRoute } from '@tanstack/react-router';
import { SignUpVerification } from '../sign-in/verification.tsx';

export const Route = createFileRoute('/sign-up_/verification')({ component: SignUpVerification });

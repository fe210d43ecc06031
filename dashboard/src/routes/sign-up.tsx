import { createFileRoute } from '@tanstack/react-router';
import { SignUp } from '../sign-in/sign-up.tsx';

export const Route = createFileRoute('/sign-up')({ component: SignUp });

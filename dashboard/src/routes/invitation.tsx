import { createFileRoute } from '@tanstack/react-router';
import { Invitation } from '../sign-in/invitation.tsx';

export const Route = createFileRoute('/invitation')({ component: Invitation });

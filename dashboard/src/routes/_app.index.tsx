import { createFileRoute } from '@tanstack/react-router';
import { Overview } from '../overview/overview.tsx';

export const Route = createFileRoute('/_app/')({ component: Overview });

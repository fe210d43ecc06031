import { createFileRoute } from '@tanstack/react-router';
import { Workspace } from '../places/workspace.tsx';

export const Route = createFileRoute('/_app/workspace')({ component: Workspace });

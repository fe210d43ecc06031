import { createFileRoute } from '@tanstack/react-router';
import { Models } from '../models/models.tsx';

export const Route = createFileRoute('/_app/models/')({ component: Models });

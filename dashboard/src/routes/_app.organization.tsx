import { createFileRoute } from '@tanstack/react-router';
import { Organization } from '../places/organization.tsx';

export const Route = createFileRoute('/_app/organization')({ component: Organization });

import { createFileRoute } from '@tanstack/react-router';
import { Account } from '../account/account.tsx';

export const Route = createFileRoute('/_app/account')({ component: Account });

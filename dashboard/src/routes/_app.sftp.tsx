import { createFileRoute } from '@tanstack/react-router';
import { Sftp } from '../sftp/sftp.tsx';

export const Route = createFileRoute('/_app/sftp')({ component: Sftp });

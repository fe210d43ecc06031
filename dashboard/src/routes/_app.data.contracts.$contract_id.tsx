import { createFileRoute } from '@tanstack/react-router';
import { Page } from '../kit/page.tsx';

export const Route = createFileRoute('/_app/data/contracts/$contract_id')({ component: ContractPage });

function ContractPage() {
  return <Page title="ContractPage">{null}</Page>;
}

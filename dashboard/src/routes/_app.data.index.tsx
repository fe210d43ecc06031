import { createFileRoute } from '@tanstack/react-router';
import { DataPage } from '../data/data-page.tsx';

const tabs = ['tables', 'contracts', 'ingestions'] as const;
export type DataTab = (typeof tabs)[number];

export const Route = createFileRoute('/_app/data/')({
  validateSearch: (search): { readonly tab?: DataTab } => {
    const tab = tabs.find((one) => one === search.tab);
    return tab ? { tab } : {};
  },
  component: DataPage,
});

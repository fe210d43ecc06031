export const entityTabs = ['facts', 'scores', 'network', 'similar'] as const;
export type EntityTab = (typeof entityTabs)[number];

export type EntitySearch = {
  readonly tab?: EntityTab;
  readonly as_of?: string;
  readonly model?: string;
  readonly hops?: 2 | 3;
  /** The entity chosen in the network: its id in the answer, which the same question always gives. */
  readonly node?: number;
  readonly list?: 'ties';
  readonly sort?: 'key' | 'times' | 'since';
  /** The other end of a path. */
  readonly to?: string;
  readonly source?: 'gfm';
};

/** Reads the query of the page's address; what it does not know is left out. */
export const readEntitySearch = ({
  tab,
  as_of,
  model,
  hops,
  node,
  list,
  sort,
  to,
  source,
}: Readonly<Record<string, unknown>>): EntitySearch => ({
  ...(entityTabs.some((one) => one === tab) ? { tab: tab as EntityTab } : {}),
  ...(typeof as_of === 'string' && /^\d{4}-\d{2}-\d{2}$/.test(as_of) ? { as_of } : {}),
  ...(typeof model === 'string' ? { model } : {}),
  ...(hops === 2 || hops === 3 ? { hops } : {}),
  ...(typeof node === 'number' && Number.isInteger(node) && node >= 0 ? { node } : {}),
  ...(list === 'ties' ? { list } : {}),
  ...(sort === 'key' || sort === 'times' || sort === 'since' ? { sort } : {}),
  ...(typeof to === 'string' || typeof to === 'number' ? { to: String(to) } : {}),
  ...(source === 'gfm' ? { source } : {}),
});

/** What each tab of an entity is given. */
export type EntityProps = {
  readonly table: string;
  readonly entityKey: string;
  readonly search: EntitySearch;
  /** `isStep`: a step that the back button undoes. */
  set(change: Partial<EntitySearch>, isStep?: boolean): void;
};

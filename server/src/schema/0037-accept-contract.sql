-- Whether the contract that an ingestion proposes becomes the active one if the files come in under it.
alter table ingestions add column accept_contract boolean not null default false;

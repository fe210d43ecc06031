-- Whether the same act has made an event of another organization before: what happens to an account is recorded in each
-- organization of its user, who is mailed of it once.
alter table events add column is_repeat boolean not null default false;

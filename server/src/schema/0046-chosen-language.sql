-- Whether somebody has chosen their language, or the dashboard has taken it over from their browser. Until then it is
-- that of their mails alone. English was what everybody had who had said nothing.
alter table users add column language_chosen boolean not null default false;
update users set language_chosen = true where language <> 'en';

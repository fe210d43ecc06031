-- Takes the name of a person, and the addresses and agents from which they acted, out of the entries of an organization: of
-- what they did themselves, and by their keys. Each entry keeps the hash of what is taken out, which is what its leaf has: the
-- hash of the salt and of a list in canonical JSON, whose texts are written as PostgreSQL writes JSON. This, and nothing
-- else, changes entries. Returns how many.
create function redact_audit_entries(organization text, person text) returns bigint
  language sql security definer set search_path = public, pg_temp as $$
  with redacted as (
    update audit_entries set actor_label = null, ip = null, user_agent = null, salt = null,
      personal = sha256(salt || convert_to('[' || coalesce(to_json(actor_label)::text, 'null')
        || ',' || coalesce(to_json(ip)::text, 'null') || ',' || coalesce(to_json(user_agent)::text, 'null') || ']', 'UTF8'))
    where organization_id = organization and salt is not null
      and actor_id in (select person union all select id from api_keys where user_id = person)
    returning 1)
  select count(*) from redacted
$$;
revoke execute on function redact_audit_entries from public;
grant execute on function redact_audit_entries to lastro_system;

-- The version of the graph model that an encoder is composed with; none where it reads tables alone.
alter table rfm_versions add column gfm_version_id text references gfm_versions;

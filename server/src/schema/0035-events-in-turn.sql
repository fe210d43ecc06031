-- Workspaces take turns at getting positions for their events.
drop index events_without_position;
create index events_without_position on events (coalesce(workspace_id, organization_id), ordinal) where position is null;

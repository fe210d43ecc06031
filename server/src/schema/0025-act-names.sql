-- Acts are called as the catalog calls them now. The owner alone can do this, here and once: nothing has been sealed yet.
alter table audit_entries disable trigger append_only;
update audit_entries set action = 'prediction-request' where action = 'prediction-consumption';
update audit_entries set action = 'session-revocation' where action = 'session-end';
update audit_entries set action = 'login-failure' where action = 'session-creation' and outcome = 'denied';
alter table audit_entries enable trigger append_only;

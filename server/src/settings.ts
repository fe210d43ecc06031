type Setting = {
  readonly name: string;
  readonly fallback: string;
  readonly about: string;
  /** It can be read from a file too, which the variable of the same name with `_FILE` names. */
  readonly isSecret?: true;
};

/** The settings, as the table in the docs shows them. */
export const settings: readonly Setting[] = [
  { name: 'PORT', fallback: '4000', about: 'Where the service listens.' },
  { name: 'HOST', fallback: '127.0.0.1', about: 'The address it listens on; 0.0.0.0 for every one of the machine.' },
  {
    name: 'SFTP_PORT',
    fallback: '',
    about:
      'Where `npm start` and `lastro sftp` listen for SFTP, such as 2022; empty for no SFTP. Organizations use it when the operator has enabled it for them.',
  },
  {
    name: 'SFTP_PROXY_PROTOCOL',
    fallback: '0',
    about:
      '1: connections to SFTP_PORT from TRUSTED_PROXIES begin with a header of the PROXY protocol (version 1 or 2), as balancers of TCP write it, whose client is believed; all others are clients themselves.',
  },
  {
    name: 'METRICS_PORT',
    fallback: '',
    about:
      'Where every role, also `lastro worker` and `lastro sftp`, tells /healthz, /readyz and /metrics to whoever asks, such as 9464: a port for the network of the operator. Empty for none; then /metrics of PORT answers callers on the same machine.',
  },
  {
    name: 'LASTRO_DATA_DIR',
    fallback: './data',
    about: 'Folder of the embedded database, of stored files and secrets.',
  },
  { name: 'LASTRO_DEMO', fallback: '1', about: '1 fills a demo workspace on the first start, 0 starts empty.' },
  {
    name: 'LASTRO_DASHBOARD_DIR',
    fallback: '',
    about:
      'Folder of the built dashboard, which the service serves at its own address. By default dashboard/dist of the project, which `npm start` builds where it is missing or old.',
  },
  {
    name: 'DATABASE_URL',
    isSecret: true,
    fallback: '',
    about: 'PostgreSQL 15 or later to use instead of the embedded one.',
  },
  {
    name: 'DATABASE_OWNER_URL',
    isSecret: true,
    fallback: '',
    about:
      'The same database with the login that owns its tables, used by migrations alone; DATABASE_URL then names a login that owns nothing. By default DATABASE_URL names the owner, and the service makes itself such a login.',
  },
  {
    name: 'STORAGE_URL',
    fallback: '',
    about: 'Where files are kept: a folder, or s3://bucket/prefix?endpoint=…&region=….',
  },
  {
    name: 'LASTRO_DRAIN_SECONDS',
    fallback: '',
    about:
      'How long a process that SIGTERM tells to stop still answers, while its /readyz says 503, so that a balancer sends it nothing any more when it closes: longer than the balancer takes to see that. 5 for `lastro api` and 0 for `npm start` by default.',
  },
  { name: 'PUBLIC_URL', fallback: '', about: 'How callers reach the service; http://localhost:PORT by default.' },
  {
    name: 'LASTRO_MASTER_SECRET',
    isSecret: true,
    fallback: '',
    about:
      '64 hex digits from which all keys derive, the same for all processes on a database; a file in the data folder by default.',
  },
  {
    name: 'TRUSTED_PROXIES',
    fallback: '',
    about: 'Addresses or networks (10.0.0.0/8) of proxies whose X-Forwarded-For is believed, with commas.',
  },
  {
    name: 'OUTBOUND_PRIVATE_NETWORKS',
    fallback: '',
    about:
      'Networks (10.7.0.0/16) that are not public and to which the service connects all the same, by http too, when a customer names an address there, such as that of an identity provider of your own; with commas. Any customer may name them.',
  },
  {
    name: 'LASTRO_WEBHOOK_ALLOW_HTTP',
    fallback: '0',
    about:
      '1 lets webhooks go to 127.0.0.1 and ::1 of the machine of the service, by http, which is for developing a receiver; 0 wants https.',
  },
  {
    name: 'WEBHOOK_RETRY_SCHEDULE',
    fallback: '0s,5s,30s,2m,10m,30m,1h,3h,6h,12h,24h,24h',
    about:
      'How long to wait before each attempt to deliver to a webhook (ms, s, m or h), as many as there are attempts, give or take a fifth.',
  },
  {
    name: 'WEBHOOK_MAX_WAITING',
    fallback: '100000',
    about:
      'Most deliveries that wait for one webhook. What happens while so many wait is skipped, and can be recovered.',
  },
  {
    name: 'SMTP_URL',
    isSecret: true,
    fallback: '',
    about:
      'The server that sends mails, such as smtps://user:password@mail.example.com. By default mails are written to the folder mails of the data folder.',
  },
  {
    name: 'SMTP_SILENCE_SECONDS',
    fallback: '20',
    about: 'How long that server may be silent before a mail is tried again later.',
  },
  {
    name: 'UNSUBSCRIBE_ADDRESS',
    fallback: '',
    about:
      'An address of yours to which people may write to get no more mails of notifications, for the head of those; the link in them works without it.',
  },
  { name: 'MAIL_FROM', fallback: 'Lastro <lastro@localhost>', about: 'The address that mails come from.' },
  {
    name: 'PERSONAL_MAIL_DOMAINS',
    fallback: '',
    about:
      'Further domains whose addresses are of people and not of a company, with commas; -example.com takes one off the list that is kept.',
  },
  {
    name: 'DNS_SERVERS',
    fallback: '',
    about:
      'Servers that are asked for the records by which domains are proved and for the addresses of names that customers give, as address or address:port, with commas; those of the machine by default. Its hosts file comes first.',
  },
  {
    name: 'LASTRO_COMPUTE_PROCESSES',
    fallback: '',
    about:
      'How many processes train at once. There are three more than this, so that ingestions do not wait for training, and scoring for neither. One less than the cores by default, or as many as have a gigabyte each of what LASTRO_COMPUTE_MEMORY_MB gives a task; at least one.',
  },
  {
    name: 'LASTRO_TRAINING_THREADS',
    fallback: '',
    about:
      'How many threads one training learns with, in the service and in the commands; what is learned does not depend on it. As many as there are cores by default, in the service at most one for each half gigabyte of what LASTRO_COMPUTE_MEMORY_MB gives a training.',
  },
  {
    name: 'LASTRO_COMPUTE_MEMORY_MB',
    fallback: '',
    about:
      'The memory of all ingestion, training and scoring together. A task that needs more than its share is ended. 70 % of the memory of the machine or container by default.',
  },
  {
    name: 'LASTRO_SERVING_MEMORY_MB',
    fallback: '',
    about:
      'About how much memory the data of workspaces take that one process answers from at once. 15 % of the memory of the machine or container by default.',
  },
  {
    name: 'LASTRO_TASK_BUDGET_FACTOR',
    fallback: '1',
    about: 'Multiplies the time, processor time and disk space that one task may use: 2 for twice as much.',
  },
  {
    name: 'LASTRO_AUDIT_RETENTION_DAYS',
    fallback: '400',
    about:
      'How many days entries of the audit trail are kept, from 90; then those of a month are dropped together. What proves them stays.',
  },
  {
    name: 'LASTRO_PREDICTION_RETENTION_DAYS',
    fallback: '0',
    about:
      'How many days predictions that were answered at once are kept, with what was asked and answered; 0 for ever. They are no longer found or counted then; what they cost, and who asked, is kept apart.',
  },
  {
    name: 'LASTRO_REPLAY_SAMPLE',
    fallback: '100',
    about:
      'How many predictions of each workspace the service replays by itself each night, to prove that answers of before are still given to the byte, at most 200; 0 for none.',
  },
  {
    name: 'LASTRO_EVENT_RETENTION_DAYS',
    fallback: '400',
    about:
      'How many days events are kept to be listed and followed, from 30; 0 for ever. By default as long as the audit trail, which keeps the same acts as what happened.',
  },
  {
    name: 'LASTRO_BATCH_RETENTION_DAYS',
    fallback: '0',
    about:
      'How many days batches are kept after their end, with their results, from 35; 0 for ever. The files that they were asked about are of their senders, who delete them.',
  },
  {
    name: 'LASTRO_REQUESTS_PER_MINUTE',
    fallback: '600000',
    about: 'How many requests one key may send to one process in a minute; 0 for no limit.',
  },
  {
    name: 'LASTRO_WORKSPACE_REAL_TIME_PER_MINUTE',
    fallback: '1200000',
    about:
      'How many predictions and embeddings all callers of one workspace may ask of one process in a minute, where its price plan says nothing else; 0 for no limit.',
  },
  {
    name: 'LASTRO_WORKSPACE_REQUESTS_PER_MINUTE',
    fallback: '600000',
    about:
      'How many other requests all callers of one workspace may send to one process in a minute, where its price plan says nothing else; 0 for no limit.',
  },
  {
    name: 'OTEL_EXPORTER_OTLP_ENDPOINT',
    fallback: '',
    about:
      'Where traces are sent, by OTLP over HTTP as JSON, such as http://collector:4318: an address of the operator, which may be in any network. Empty for no traces.',
  },
  {
    name: 'OTEL_EXPORTER_OTLP_HEADERS',
    isSecret: true,
    fallback: '',
    about: 'Headers that are sent with them, such as api-key=…, with commas.',
  },
  { name: 'OTEL_SERVICE_NAME', fallback: 'lastro', about: 'What the service is called in traces.' },
  {
    name: 'OTEL_TRACES_SAMPLER_ARG',
    fallback: '1',
    about: 'The share of traces begun here that are sent, 0 to 1; where a caller began one, the caller decides.',
  },
  { name: 'LOG_LEVEL', fallback: 'warn', about: 'fatal, error, warn, info, debug, trace or silent.' },
];

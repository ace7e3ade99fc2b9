/**
 * Refusals that protect the service, its database or other clients. Each has the metric
 * `matricula_refusals_total{refusal="…"}`, a log line with the client, and a row in `docs/operations.md`.
 */
export const REFUSALS = [
  'administration-waiting',
  'answers-held',
  'bodies-waiting',
  'connections',
  'export-time',
  'credentials-waiting',
  'files-waiting',
  'imports-full',
  'logins-open',
  'logins-throttled',
  'passwords-waiting',
  'other-database',
  'other-version',
  'places-waiting',
  'queue-full',
  'records-waiting',
  'recoveries-waiting',
  'writes-waiting',
  'no-turn',
  'rate-limit',
  'failed-credentials',
  'search-cost',
  'search-timeout',
  'audit-unwritten',
  'unread-answer',
  'slow-reader',
  'statement-time',
  'slow-upload',
  'subscriptions-full',
  'upload-gave-way',
  'uploads-full',
  'tokens-revoked',
  'webhooks-waiting',
  'withdrawn',
] as const;

export type Refusal = (typeof REFUSALS)[number];

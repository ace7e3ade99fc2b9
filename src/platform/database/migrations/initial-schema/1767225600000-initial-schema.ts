import type { MigrationInterface, QueryRunner } from 'typeorm';

import { audit } from './audit.js';
import { CLIENTS } from './clients.js';
import { EVENTS } from './events.js';
import { PLACES } from './places.js';
import { SEARCH } from './search.js';
import { USERS } from './users.js';
import { WEBHOOKS } from './webhooks.js';

/** Every table: `docs/architecture.md`, Tables. */
export class InitialSchema1767225600000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    const [row] = (await runner.query('select quote_ident(current_schema()) as schema')) as { schema: string }[];
    const statements = [...CLIENTS, ...USERS, ...PLACES, ...EVENTS, ...SEARCH, ...WEBHOOKS];
    for (const statement of [...statements, ...audit(row?.schema ?? 'public')]) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const statement of DOWN) await runner.query(statement);
  }
}

const DOWN = [
  `drop table system_client, replaced_sha_secret, spent_assertion, signing_key, kept_key,
     user_account, session_family, login_step, recovery_link, recovery_request, user_notice, revoked_token, place, place_version,
     event, event_history, performed_operation, registration_number_count, confirmation, confirmation_attempt, upload,
     event_search, event_document, term_key, data_shape, fuzzy_path, fuzzy_word, fuzzy_key,
     bitmap, bitmap_chunk, bitmap_dirty, derived_version, reindex_run, reindex_changed,
     webhook_subscription, webhook_topic, webhook_context, webhook_delivery, webhook_attempt,
     audit_log, audit_retention, audit_count, audit_counted_month`,
  `drop function user_revised, email_key, place_revised, place_has_version, refuse_other_derived_version, require_derived_version, revise_webhook_subscription,
     revise_webhook_subscriptions_of_client, park_webhooks_of_client, end_webhooks_of_client,
     audit_refuse, audit_upkeep, audit_count_months`,
  'drop sequence user_revision, place_revision',
];

import type { MigrationInterface, QueryRunner } from 'typeorm';

interface Row {
  readonly id: string;
  readonly callback: string;
}

/**
 * Callbacks are compared as URL parsers write them (W-6). Subscriptions of one client that differ in spelling alone
 * have brought each event twice: the oldest of them stays. Where the filter or format differs too, all of them stay.
 */
export class CallbackKeys1768000400000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('alter table webhook_subscription add column callback_key text');
    const rows = (await runner.query(
      'select id, callback from webhook_subscription where deleted_at is null',
    )) as readonly Row[];
    await runner.query(
      `update webhook_subscription s set callback_key = new.key
         from unnest($1::uuid[], $2::text[]) as new (id, key) where new.id = s.id`,
      [rows.map(({ id }) => id), rows.map(({ callback }) => keyOf(callback))],
    );
    await runner.query(
      `update webhook_subscription s set deleted_at = now()
         from (select id, row_number() over (partition by client_id, topic, callback_key, format, query, status
                                                 order by created_at, id) as number
                 from webhook_subscription where deleted_at is null) as spelling
        where spelling.id = s.id and spelling.number > 1`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('alter table webhook_subscription drop column callback_key');
  }
}

function keyOf(callback: string): string {
  if (!URL.canParse(callback)) return callback;
  const url = new URL(callback);
  if (url.search === '') url.search = '';
  return url.href;
}

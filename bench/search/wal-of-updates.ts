import { setTimeout as sleep } from 'node:timers/promises';

import { withClient } from '../service/bench-database.js';
import type { Service } from '../service/service.js';
import type { Draws } from './query-kinds.js';
import { certified, drawEvent, tellOf } from './written-events.js';

/** What one update of a record writes to the log, by the part of PostgreSQL that writes it, in kilobytes. */
export interface WalFound {
  /** Whether a checkpoint came just before: the first change of each page after it writes the whole page. */
  readonly afterCheckpoint: boolean;
  readonly updates: number;
  readonly of: readonly { readonly writer: string; readonly changesKb: number; readonly wholePagesKb: number }[];
}

const UPDATES = 25;
const ROUNDS = 3;
/** Marks are folded into bitmaps every second. */
const FOLDED_MS = 2_500;

/**
 * Certificates printed of events that are there, 25 at a time; needs a superuser of PostgreSQL 15 or later
 * (`pg_walinspect`).
 */
export async function walOfUpdates(
  service: Service,
  databaseUrl: string,
  draws: Draws,
  tell: (line: string) => void,
): Promise<WalFound[]> {
  const found: WalFound[] = [];
  await withClient(databaseUrl, async (client) => {
    await client.query('create extension if not exists pg_walinspect');
    const lsn = async (): Promise<string> => {
      const { rows } = await client.query<{ lsn: string }>('select pg_current_wal_flush_lsn() as lsn');
      return rows[0]?.lsn ?? '0/0';
    };
    for (let round = 0; round < 2 * ROUNDS; round++) {
      const events = Array.from({ length: UPDATES }, () => drawEvent(draws));
      for (const event of events) await tellOf(service, 'REGISTER', event);
      await sleep(FOLDED_MS);
      const afterCheckpoint = round % 2 === 0;
      if (afterCheckpoint) await client.query('checkpoint');
      else for (const event of events) await tellOf(service, 'PRINT_CERTIFICATE', certified(event));
      const from = await lsn();
      for (const event of events) await tellOf(service, 'PRINT_CERTIFICATE', certified(certified(event)));
      await sleep(FOLDED_MS);
      const { rows } = await client.query<{ writer: string; changes: string; pages: string }>(
        `select "resource_manager/record_type" as writer, record_size as changes, fpi_size as pages
           from pg_get_wal_stats($1, $2) where combined_size > 0 order by combined_size desc`,
        [from, await lsn()],
      );
      const kilobytes = (bytes: string): number => Math.round(Number(bytes) / UPDATES / 102.4) / 10;
      const of = rows.map(({ writer, changes, pages }) => ({
        writer,
        changesKb: kilobytes(changes),
        wholePagesKb: kilobytes(pages),
      }));
      found.push({ afterCheckpoint, updates: UPDATES, of });
      const sum = (key: 'changesKb' | 'wholePagesKb'): string => of.reduce((all, one) => all + one[key], 0).toFixed(0);
      tell(
        `${afterCheckpoint ? 'after a checkpoint' : 'later'}: ${sum('changesKb')} kB of changes, ${sum('wholePagesKb')} kB of whole pages an update`,
      );
    }
  });
  return found;
}

import { Command } from 'commander';
import { DAY_MS, type Instant } from '../kernel/domain/calendar.js';
import type { DeadNotice, EventNotices } from '../auth/notices/notice-report.js';
import { instant, jsonOption, wholeNumber } from './options.js';
import { answer } from './output.js';
import { withDatabase } from './services.js';

interface ListOptions {
  readonly since?: Instant;
  readonly limit: number;
  readonly json: boolean;
}

/** `matricula notices`: notices sent and not sent to users (U-2, U-9). */
export const noticesCommand = (): Command =>
  new Command('notices').description('codes and links that users are sent').addCommand(list());

const list = (): Command =>
  new Command('list')
    .description('what waits, what became of the rest, and what was given up, without what it said')
    .option('--since <date-time>', 'settled from here on, such as 2026-01-02T00:00:00Z (a day ago)', instant)
    .option('--limit <count>', 'how many that were given up, 1 to 1000', wholeNumber(1, 1_000), 20)
    .addOption(jsonOption())
    .action(async ({ since, limit, json }: ListOptions) => {
      await withDatabase(async (database) => {
        const { reportNotices } = await import('../auth/notices/notice-report.js');
        const from = since === undefined ? new Date(Date.now() - DAY_MS) : new Date(since);
        const report = await reportNotices(database, { since: from, limit });
        await answer(json, report, [...report.events.map(lineOf), ...report.dead.map(deadLineOf)]);
      }, 'as it is');
    });

function lineOf({ event, pending, oldestPending, delivered, expired, dead }: EventNotices): string {
  const counts = `pending ${pending}, delivered ${delivered}, expired ${expired}, dead ${dead}`;
  if (oldestPending === null) return `${event.padEnd(22)}  ${counts}`;
  const { createdAt, failures, lastFailure } = oldestPending;
  const last = lastFailure === null ? '' : `, the last: ${lastFailure}`;
  return `${event.padEnd(22)}  ${counts}; the oldest since ${createdAt.toISOString()}, failures: ${failures}${last}`;
}

const deadLineOf = ({ event, userId, deadAt, failures, reason }: DeadNotice): string =>
  `dead ${deadAt.toISOString()}  ${event.padEnd(22)}  user ${userId}  attempts: ${failures}, the last: ${reason ?? 'unknown'}`;

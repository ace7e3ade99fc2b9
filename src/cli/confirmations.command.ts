import type { INestApplicationContext } from '@nestjs/common';
import { Command, Option } from 'commander';
import { CLI } from '../platform/audit/audit-entry.js';
import type { ConfirmationLog, ConfirmationView } from '../events/confirmation/confirmation-log.js';
import { CONFIRMATION_STATUSES, UNANSWERED } from '../events/confirmation/confirmation-status.js';
import { jsonOption, readOptions, uuidOf } from './options.js';
import { answer, attemptsLine, pageLines } from './output.js';
import { withServices } from './services.js';

interface ListOptions {
  readonly status?: string;
  readonly limit?: string;
  readonly cursor?: string;
  readonly json: boolean;
}

interface ReplayOptions {
  readonly action?: string;
  readonly since?: string;
  readonly until?: string;
  readonly status?: string;
  readonly json: boolean;
}

/** `matricula confirmations`: outcomes of requested actions, and replay (E-15). */
export const confirmationsCommand = (): Command =>
  new Command('confirmations')
    .description('requested actions that the country configuration confirms')
    .addCommand(list())
    .addCommand(replay());

const list = (): Command =>
  new Command('list')
    .description('requested actions with their attempts, the newest first')
    .addOption(new Option('--status <status>', 'only those').choices(CONFIRMATION_STATUSES))
    .option('--limit <count>', 'how many, 1 to 1000 (100)')
    .option('--cursor <cursor>', 'the page after the one that gave it out')
    .addOption(jsonOption())
    .action(async ({ json, ...options }: ListOptions) => {
      const { ConfirmationsQueryDto } = await import('../events/confirmation/confirmations.dto.js');
      const query = await readOptions(ConfirmationsQueryDto, options);
      await withServices(async (services) => {
        const page = await (await logOf(services)).page(query);
        await answer(json, page, pageLines(page.confirmations, page.cursor, lineOf, 'There are no confirmations.'));
      }, 'as it is');
    });

const replay = (): Command =>
  new Command('replay')
    .description('post again what has no answer: one action, or those of a time')
    .addOption(new Option('--action <id>', 'this one').conflicts(['since', 'until', 'status']))
    .option('--since <date-time>', 'requested from here on, such as 2026-01-02T00:00:00Z')
    .option('--until <date-time>', 'and up to here, both included')
    .addOption(new Option('--status <status>', 'of those, only these (dead)').choices(UNANSWERED))
    .addOption(jsonOption())
    .action(async ({ json, action, ...time }: ReplayOptions) => {
      const { ConfirmationReplayDto } = await import('../events/confirmation/confirmations.dto.js');
      const one = action === undefined ? undefined : uuidOf(action);
      const request = await readOptions(ConfirmationReplayDto, time);
      await withServices(async (services) => {
        const log = await logOf(services);
        const outcome = one === undefined ? await log.replay(request, CLI) : await log.replayOne(one, CLI);
        if (outcome === 'unknown') throw new Error(`There is no confirmation of an action ${one ?? ''}.`);
        if (outcome === 'settled') throw new Error(`Action ${one ?? ''} is not awaiting confirmation.`);
        const replayed = outcome === 'replayed' ? 1 : outcome;
        await answer(json, { replayed }, `${replayed} to be posted again`);
      });
    });

function lineOf({ actionId, createdAt, status, eventType, actionType, eventId, attempts }: ConfirmationView): string {
  return `${actionId}  ${createdAt}  ${status.padEnd(8)}  ${eventType} ${actionType}  ${eventId}  ${attemptsLine(attempts)}`;
}

async function logOf(services: INestApplicationContext): Promise<ConfirmationLog> {
  const { ConfirmationLog } = await import('../events/confirmation/confirmation-log.js');
  return services.get(ConfirmationLog, { strict: false });
}

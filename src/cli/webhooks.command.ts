import type { INestApplicationContext } from '@nestjs/common';
import { Command, Option } from 'commander';
import { CLI } from '../platform/audit/audit-entry.js';
import type { Uuid } from '../kernel/domain/uuid.js';
import { DELIVERY_STATUSES } from '../webhooks/delivery/delivery-status.js';
import type { DeliveryLog, DeliveryView } from '../webhooks/delivery/delivery-log.js';
import type { Subscription, Subscriptions } from '../webhooks/subscriptions/subscriptions.js';
import { jsonOption, readOptions, uuidOf } from './options.js';
import { answer, attemptsLine, pageLines } from './output.js';
import { withServices } from './services.js';

interface DeliveriesOptions {
  readonly status?: string;
  readonly limit?: string;
  readonly cursor?: string;
  readonly json: boolean;
}

interface ReplayOptions {
  readonly delivery?: string;
  readonly since?: string;
  readonly until?: string;
  readonly status?: string;
  readonly json: boolean;
}

/** `matricula webhooks`: deliveries, and replay (W-10). */
export const webhooksCommand = (): Command =>
  new Command('webhooks')
    .description('webhook subscriptions and their deliveries')
    .addCommand(list())
    .addCommand(deliveries())
    .addCommand(replay());

const statusOption = (about: string): Option => new Option('--status <status>', about).choices(DELIVERY_STATUSES);

const list = (): Command =>
  new Command('list')
    .description('every subscription, the oldest first')
    .addOption(jsonOption())
    .action(({ json }: { readonly json: boolean }) =>
      withServices(async (services) => {
        const all = await (await subscriptionsOf(services)).all();
        await answer(json, all.map(shownOf), all.length === 0 ? 'There are no subscriptions.' : all.map(lineOf));
      }, 'as it is'),
    );

const shownOf = ({ id, clientId, topic, callback, status, createdAt }: Subscription): object => ({
  id,
  client_id: clientId,
  topic,
  callback,
  status,
  createdAt: createdAt.toISOString(),
});

const lineOf = ({ id, clientId, status, topic, callback }: Subscription): string =>
  `${id}  ${status.padEnd(8)}  ${topic.padEnd(16)}  ${clientId}  ${callback}`;

const deliveries = (): Command =>
  new Command('deliveries')
    .description('deliveries of a subscription, the newest first')
    .argument('<webhook_id>')
    .addOption(statusOption('only those'))
    .option('--limit <count>', 'how many, 1 to 1000 (100)')
    .option('--cursor <cursor>', 'the page after the one that gave it out')
    .addOption(jsonOption())
    .action(async (webhookId: string, { json, ...query }: DeliveriesOptions) => {
      const id = uuidOf(webhookId);
      const { DeliveriesQueryDto } = await import('../webhooks/delivery/deliveries.dto.js');
      const request = await readOptions(DeliveriesQueryDto, query);
      await withServices(async (services) => {
        await subscriptionOf(services, id);
        const page = await (await deliveryLogOf(services)).page(id, request);
        await answer(json, page, pageLines(page.deliveries, page.cursor, deliveryLine, 'There are no deliveries.'));
      }, 'as it is');
    });

function deliveryLine({ id, createdAt, status, topic, eventId, attempts }: DeliveryView): string {
  return `${id}  ${createdAt}  ${status.padEnd(9)}  ${topic}  ${eventId}  ${attemptsLine(attempts)}`;
}

const replay = (): Command =>
  new Command('replay')
    .description('deliver again: one delivery, or those of a time')
    .argument('<webhook_id>')
    .addOption(new Option('--delivery <id>', 'this one, whatever became of it').conflicts(['since', 'until', 'status']))
    .option('--since <date-time>', 'created from here on, such as 2026-01-02T00:00:00Z')
    .option('--until <date-time>', 'and up to here, both included')
    .addOption(statusOption('of those, only these; without it, dead ones'))
    .addOption(jsonOption())
    .action(async (webhookId: string, { json, delivery, ...time }: ReplayOptions) => {
      const id = uuidOf(webhookId);
      const { ReplayDto } = await import('../webhooks/delivery/deliveries.dto.js');
      const one = delivery === undefined ? undefined : uuidOf(delivery);
      const request = one ?? (await readOptions(ReplayDto, time));
      await withServices(async (services) => {
        const { status } = await subscriptionOf(services, id);
        if (status !== 'active') {
          throw new Error(`The subscription is ${status}; its client must subscribe again first.`);
        }
        const log = await deliveryLogOf(services);
        const replayed =
          typeof request === 'string'
            ? Number(await log.replayOne(id, request, CLI))
            : await log.replay(id, request, CLI);
        if (one !== undefined && replayed === 0) throw new Error(`There is no delivery ${one}.`);
        await answer(json, { replayed }, `${replayed} to be delivered again`);
      });
    });

async function deliveryLogOf(services: INestApplicationContext): Promise<DeliveryLog> {
  const { DeliveryLog } = await import('../webhooks/delivery/delivery-log.js');
  return services.get(DeliveryLog);
}

async function subscriptionsOf(services: INestApplicationContext): Promise<Subscriptions> {
  const { Subscriptions } = await import('../webhooks/subscriptions/subscriptions.js');
  return services.get(Subscriptions);
}

async function subscriptionOf(services: INestApplicationContext, id: Uuid): Promise<Subscription> {
  const found = await (await subscriptionsOf(services)).find(id);
  if (found === undefined) throw new Error(`There is no subscription ${id}.`);
  return found;
}

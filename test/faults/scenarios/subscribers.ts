import { setTimeout as sleep } from 'node:timers/promises';
import { DAY_MS } from '../../../src/kernel/domain/calendar.js';
import { eventually } from '../../support/eventually.js';
import { createTestAuthority } from '../../support/scripted-subscriber-certificates.js';
import { answers, type Behaviour, hangs, resets, testAuthority, trickles } from '../../support/scripted-subscriber.js';
import { notificationOf } from '../receiver.js';
import type { Scenario } from '../scenario.js';
import type { World } from '../world.js';

/** Longer than the time-out for one exchange. */
const AWAY_MS = 5_000;
const EACH_MS = 1_500;
const BYTE_MS = 200;
const YEAR_MS = 365 * DAY_MS;
/** How far another subscriber may be behind while the first one fails. */
const UNDISTURBED_MS = 5_000;

/** One subscriber fails for a while. Another one works all the time, and is delivered to as if it were alone. */
export const SUBSCRIBER_SCENARIOS: readonly Scenario[] = [
  {
    fault: 'subscriber down, and back',
    act: (world) =>
      failing(
        world,
        () => world.subscriber.down(),
        () => world.subscriber.up(),
      ),
  },
  { fault: 'subscriber hangs', act: behaves(hangs) },
  { fault: 'subscriber trickles its headers and never ends', act: behaves(tricklesHeaders) },
  { fault: 'subscriber answers 200 and trickles a body without end', act: behaves(trickles(BYTE_MS)) },
  { fault: 'subscriber resets connections', act: behaves(resets) },
  { fault: 'subscriber answers each one 500 first, then 200', act: behaves(refusesFirst()) },
  {
    fault: 'subscriber with a certificate of an unknown authority, for another name, expired',
    act: (world) =>
      failing(
        world,
        () => wrongCertificates(world),
        async () => {
          await world.subscriber.down();
          await world.subscriber.up();
        },
      ),
  },
];

function behaves(behaviour: Behaviour): Scenario['act'] {
  return (world) => {
    const { subscriber } = world;
    return failing(
      world,
      () => {
        subscriber.behave(behaviour);
      },
      () => {
        subscriber.behave(answers(200));
      },
    );
  };
}

async function failing(
  world: World,
  breaks: () => void | Promise<void>,
  mends: () => void | Promise<void>,
): Promise<void> {
  const other = await world.addSubscriber();
  await world.meanwhile(async () => {
    await breaks();
    await sleep(AWAY_MS);
    const { taken } = world.ledger;
    await eventually('another subscriber waits for nobody', () => other.ledger.acknowledged >= taken, UNDISTURBED_MS);
    await mends();
  });
}

/** A byte of a status line and headers every so often, which never come to an end. */
function tricklesHeaders(...[, answer]: Parameters<Behaviour>): void {
  const bytes = 'HTTP/1.1 200 OK\r\nx-waits: ';
  let at = 0;
  const timer = setInterval(() => {
    answer.socket?.write(bytes[at++] ?? 'x');
  }, BYTE_MS);
  answer.once('close', () => {
    clearInterval(timer);
  });
}

function refusesFirst(): Behaviour {
  const refused = new Set<string>();
  return ({ body }, answer) => {
    const { deliveryId } = notificationOf(body);
    answer.writeHead(refused.has(deliveryId) ? 200 : 500).end();
    refused.add(deliveryId);
  };
}

async function wrongCertificates({ subscriber }: World): Promise<void> {
  const lastYear = { from: new Date(Date.now() - 2 * YEAR_MS), until: new Date(Date.now() - YEAR_MS) };
  const wrong = [
    createTestAuthority('Unknown authority').issue(['127.0.0.1']),
    testAuthority.issue(['subscriber.example']),
    testAuthority.issue(['127.0.0.1'], lastYear),
  ];
  for (const certificate of wrong) {
    await subscriber.down();
    await subscriber.up(certificate);
    await sleep(EACH_MS);
    if (subscriber.notifications.length > 0) throw new Error('a notification was sent under a wrong certificate');
  }
}

import type { EventDocument } from '../../../src/kernel/domain/event-action.js';
import { aRegisteredStatus } from '../../support/builders/a-legal-status.js';
import { anAction } from '../../support/builders/an-action.js';
import { anEventDocument } from '../../support/builders/an-event-document.js';
import { eventually } from '../../support/eventually.js';
import { type Behaviour, type ScriptedSubscriber, startScriptedSubscriber } from '../../support/scripted-subscriber.js';
import { type Answer, type Arena, aText, type AttackingClient, only, some, statuses, times } from '../arena.js';
import type { Attack } from '../attack.js';

const TOPIC = 'BIRTH_REGISTERED';
/** A healthy subscriber may be told so much later for what others do. */
const DELAY_MS = 1_000;
const HEALTHY = '/healthy';

const aRegistration = (): EventDocument => {
  const { registrationNumber } = aRegisteredStatus();
  return anEventDocument({ actions: [anAction(), anAction({ type: 'REGISTER', registrationNumber })] });
};

async function trigger(arena: Arena): Promise<Answer> {
  const token = await arena.issuer.token();
  const path = '/trigger/events/birth/actions/REGISTER';
  return arena.post(path, { body: aRegistration(), token, listener: 'internal' });
}

const subscribe = (arena: Arena, client: AttackingClient, callback: string, query?: object): Promise<Answer> => {
  const hub = { callback, mode: 'subscribe', topic: TOPIC, secret: client.sha_secret };
  return arena.post('/webhooks', { token: client.token, body: { hub: { ...hub, ...(query && { query }) } } });
};

async function withSubscriber<T>(hostile: Behaviour, work: (subscriber: ScriptedSubscriber) => Promise<T>): Promise<T> {
  const subscriber = await startScriptedSubscriber();
  subscriber.behave((request, answer, socket) => {
    if (request.target.startsWith(HEALTHY)) answer.writeHead(200).end();
    else hostile(request, answer, socket);
  });
  try {
    return await work(subscriber);
  } finally {
    await subscriber.close();
  }
}

/** How long after an event was answered the healthy subscriber has heard of it: the worst of some. */
async function worstDelay(arena: Arena, subscriber: ScriptedSubscriber, events: number): Promise<number> {
  const heard = (): number => subscriber.notifications.filter(({ target }) => target.startsWith(HEALTHY)).length;
  let worst = 0;
  for (let event = 0; event < events; event += 1) {
    const before = heard();
    only([await trigger(arena)], [200]);
    const begun = performance.now();
    await eventually('the healthy subscriber is notified', () => heard() > before, 60_000);
    worst = Math.max(worst, performance.now() - begun);
  }
  return worst;
}

/** The answer to a trigger that is sent again while it is refused, as its sender would, for at most a minute. */
async function acceptedTrigger(arena: Arena): Promise<Answer> {
  const until = performance.now() + 60_000;
  for (;;) {
    const answer = await trigger(arena);
    if (answer.status !== 503 || performance.now() > until) return answer;
    console.warn(`a trigger was refused after ${answer.ms.toFixed(0)} ms: ${answer.text}`);
  }
}

const heldUp =
  (subscriptions: number, hostile: Behaviour) =>
  (arena: Arena): Promise<string> =>
    withSubscriber(hostile, async (subscriber) => {
      const [good, bad] = [await arena.client('WEBHOOK'), await arena.client('WEBHOOK')];
      only([await subscribe(arena, good, subscriber.url(HEALTHY))], [202]);
      const calm = await worstDelay(arena, subscriber, 5);
      for (let at = 0; at < subscriptions; at += 20) {
        only(await Promise.all(times(20, (next) => subscribe(arena, bad, subscriber.url(`/bad-${at + next}`)))), [202]);
      }
      const attacked = await worstDelay(arena, subscriber, 20);
      for (const { client_id } of [bad, good]) {
        const ended = { body: { client_id }, token: await arena.issuer.token(), listener: 'internal' } as const;
        only([await arena.post('/deactivateSystemClient', ended)], [200]);
      }
      if (attacked > calm + DELAY_MS) throw new Error(`a healthy subscriber waited ${attacked.toFixed(0)} ms`);
      return `a healthy subscriber waited ${attacked.toFixed(0)} ms at most (${calm.toFixed(0)} ms before)`;
    });

export const WEBHOOK_ATTACKS: readonly Attack[] = [
  {
    attack: '400 requests of a client about its subscriptions at once',
    act: async (arena) => {
      const [client, other] = [await arena.client('WEBHOOK'), await arena.client('WEBHOOK')];
      const list = ({ token }: AttackingClient): Promise<Answer> => arena.ask('GET', '/webhooks', { token });
      const all = Promise.all(times(400, () => list(client)));
      const others = [await list(other), await list(other), await list(other)];
      const answers = await all;
      only(answers, [200, 503]);
      some(answers, 200);
      only(others, [200]);
      return `${statuses(answers)}; another client meanwhile ${statuses(others)}`;
    },
  },
  {
    attack: '30 subscriptions with filters of 490 clauses',
    act: (arena) =>
      withSubscriber(
        (_, answer) => answer.writeHead(200).end(),
        async (subscriber) => {
          const client = await arena.client('WEBHOOK');
          const filter = () => ({
            type: 'or',
            clauses: times(490, () => ({ data: { type: 'fuzzy', term: aText() } })),
          });
          const made = await Promise.all(
            times(30, (at) => subscribe(arena, client, subscriber.url(`/${at}`), filter())),
          );
          only(made, [202, 400]);
          const small = () => ({ clauses: [{ data: { 'child.name': { type: 'exact', term: aText() } } }] });
          only(
            await Promise.all(times(30, (at) => subscribe(arena, client, subscriber.url(`/s${at}`), small()))),
            [202],
          );
          const triggers = await Promise.all(times(20, () => acceptedTrigger(arena)));
          only(triggers, [200]);
          const slowest = Math.max(...triggers.map(({ ms }) => ms));
          return `subscriptions ${statuses(made)}; triggers ${statuses(triggers)}, the slowest ${slowest.toFixed(0)} ms`;
        },
      ),
  },
  {
    attack: '500 subscriptions that never answer',
    act: heldUp(500, () => undefined),
  },
  {
    attack: '100 subscriptions that answer with rows of 103s without end',
    act: heldUp(100, (_request, { socket }) => {
      if (socket === null) return;
      const write = (): void => {
        while (!socket.destroyed && socket.write('HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\n'.repeat(1_000)));
      };
      socket.on('drain', write);
      write();
    }),
  },
];

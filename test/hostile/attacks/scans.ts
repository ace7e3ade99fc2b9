import { randomUUID } from 'node:crypto';
import { get } from 'node:http';

import type { EventDocument } from '../../../src/kernel/domain/event-action.js';
import { MIB } from '../../../src/kernel/domain/bytes.js';
import { aRegisteredStatus } from '../../support/builders/a-legal-status.js';
import { anAction } from '../../support/builders/an-action.js';
import { anEventDocument } from '../../support/builders/an-event-document.js';
import { eventually } from '../../support/eventually.js';
import type { ScriptedSubscriber } from '../../support/scripted-subscriber.js';
import { startScriptedSubscriber } from '../../support/scripted-subscriber.js';
import type { Answer, Arena } from '../arena.js';
import { only, times } from '../arena.js';
import type { Attack } from '../attack.js';
import { fromAnywhere } from '../people.js';
import { uploadOf } from '../upload-form.js';

const SCAN_BYTES = 2 * MIB - 64;
const CALM_MS = 3_000;
/** Another client's write may take so much longer for what this one does. */
const DELAY_MS = 1_000;
const READERS = 600;
const READ_MS = 12_000;

/** A birth that was declared, with so many scans in the store, and its registration, which names them. */
async function aBirthWithScans(arena: Arena, scans: number): Promise<EventDocument> {
  const { registrationNumber } = aRegisteredStatus();
  const declared = anEventDocument({ actions: [anAction()] });
  only([await tell(arena, declared, 'CREATE')], [200]);
  const uploader = await arena.client();
  const names = times(scans, () => randomUUID());
  for (const scan of names) {
    const form = uploadOf({ transactionId: scan, eventId: declared.id, bytes: SCAN_BYTES });
    only([await arena.post('/attachments', { token: uploader.token, ...form })], [200]);
  }
  const declaration = Object.fromEntries(
    names.map((scan, at) => {
      const path = `events/${declared.id}/${scan}.pdf`;
      return [`documents.proof${at}`, { path, type: 'application/pdf', originalFilename: 'scan.pdf' }];
    }),
  );
  const actions = [...declared.actions, anAction({ type: 'REGISTER', registrationNumber, declaration })];
  return { ...declared, actions };
}

async function tell(arena: Arena, body: EventDocument, action: string, sub = 'registrar'): Promise<Answer> {
  const token = await arena.issuer.token({ sub });
  return arena.post(`/trigger/events/birth/actions/${action}`, { token, body, listener: 'internal' });
}

/** Subscribes to registered births while the work goes on. */
async function withSubscriber<T>(arena: Arena, work: (subscriber: ScriptedSubscriber) => Promise<T>): Promise<T> {
  const subscriber = await startScriptedSubscriber();
  const { token, client_id, sha_secret: secret } = await arena.client('WEBHOOK');
  try {
    const hub = { callback: subscriber.url(), mode: 'subscribe', topic: 'BIRTH_REGISTERED', secret };
    only([await arena.post('/webhooks', { token, body: { hub } })], [202]);
    return await work(subscriber);
  } finally {
    const ended = { body: { client_id }, token: await arena.issuer.token(), listener: 'internal' } as const;
    await arena.post('/deactivateSystemClient', ended);
    await subscriber.close();
  }
}

/** How many scans the notifications enclose, once there are so many of them. */
async function enclosedIn(subscriber: ScriptedSubscriber, notifications: number): Promise<number> {
  const arrived = (): boolean => subscriber.notifications.length >= notifications;
  await eventually('the subscriber is notified', arrived, 90_000);
  const texts = subscriber.notifications.map(({ body }) => body.toString('latin1'));
  return texts.reduce((sum, text) => sum + text.split('data:application/pdf').length - 1, 0);
}

/** Four clients that write one small event after the other until the work is done; yields their answers. */
async function writingMeanwhile(arena: Arena, work: () => Promise<unknown>): Promise<readonly Answer[]> {
  const answers: Answer[] = [];
  const done = { isDone: false };
  const write = async (_: unknown, at: number): Promise<void> => {
    while (!done.isDone) {
      const declaration = { 'child.name': { firstname: `Ana${at}`, surname: 'Banda' } };
      const declared = anEventDocument({ actions: [anAction(), anAction({ type: 'DECLARE', declaration })] });
      answers.push(await tell(arena, declared, 'DECLARE', `other-${at}`));
    }
  };
  const writing = Promise.all(Array.from({ length: 4 }, write));
  await work().finally(() => (done.isDone = true));
  await writing;
  only(answers, [200]);
  return answers;
}

const sorted = (answers: readonly Answer[]): number[] => answers.map(({ ms }) => ms).sort((a, b) => a - b);
const p50 = (answers: readonly Answer[]): number => sorted(answers)[answers.length >> 1] ?? 0;
const slowest = (answers: readonly Answer[]): number => sorted(answers).at(-1) ?? 0;

/** What came of reading an address on many connections until the work is done. */
async function readMeanwhile<T>(address: string, work: () => Promise<T>): Promise<{ done: T; read: number }> {
  const readers = new AbortController();
  let read = 0;
  const once = (): Promise<void> =>
    new Promise((resolve) => {
      const asked = get(address, { agent: false, headers: fromAnywhere(), signal: readers.signal }, (answer) => {
        if (answer.statusCode === 200) read += 1;
        answer
          .resume()
          .on('error', () => undefined)
          .once('close', resolve);
      });
      asked.once('error', () => {
        resolve();
      });
    });
  const reading = times(READERS, async () => {
    while (!readers.signal.aborted) await once();
  });
  try {
    return { done: await work(), read };
  } finally {
    readers.abort();
    await Promise.all(reading);
  }
}

export const SCAN_ATTACKS: readonly Attack[] = [
  {
    attack: 'five registrations at once with 8 MiB of scans each, while somebody subscribes and four others write',
    isCostly: true,
    act: (arena) =>
      withSubscriber(arena, async (subscriber) => {
        const births: EventDocument[] = [];
        for (let at = 0; at < 5; at += 1) births.push(await aBirthWithScans(arena, 4));
        const calm = await writingMeanwhile(arena, () => new Promise((resolve) => setTimeout(resolve, CALM_MS)));
        const registered: Answer[] = [];
        const attacked = await writingMeanwhile(arena, async () => {
          registered.push(...(await Promise.all(births.map((birth) => tell(arena, birth, 'REGISTER')))));
        });
        only(registered, [200]);
        const enclosed = await enclosedIn(subscriber, births.length);
        const times = [calm, attacked].map((all) => `${p50(all).toFixed(0)}/${slowest(all).toFixed(0)}`).join(' → ');
        const told = `${enclosed} of 20 scans were enclosed; writes of others, p50/max: ${times} ms`;
        if (enclosed !== 20 || slowest(attacked) > slowest(calm) + DELAY_MS) throw new Error(told);
        return `registered in ${slowest(registered).toFixed(0)} ms; ${told}`;
      }),
  },
  {
    attack: `${READERS} readers of one address of a scan, while notifications enclose scans`,
    isCostly: true,
    act: (arena) =>
      withSubscriber(arena, async (subscriber) => {
        const [shown, ...births] = [await aBirthWithScans(arena, 1), ...(await several(arena, 5))];
        only([await tell(arena, shown, 'REGISTER')], [200]);
        await enclosedIn(subscriber, 1);
        const { token } = await arena.client('NATIONAL_ID');
        const file = /[^/]+\.pdf/.exec(JSON.stringify(shown))?.[0] ?? '';
        const asked = await arena.ask('GET', `/events/${shown.id}/files/${file}/url`, { token });
        only([asked], [200]);
        const { presignedURL } = JSON.parse(asked.text) as { presignedURL: string };
        const { pathname, search } = new URL(presignedURL);
        const { done, read } = await readMeanwhile(`${arena.publicUrl}${pathname}${search}`, async () => {
          const until = performance.now() + READ_MS;
          await new Promise((resolve) => setTimeout(resolve, 1_000));
          const registered: Answer[] = [];
          for (const birth of births) registered.push(await tell(arena, birth, 'REGISTER'));
          only(registered, [200]);
          const enclosed = await enclosedIn(subscriber, 1 + births.length);
          await new Promise((resolve) => setTimeout(resolve, Math.max(0, until - performance.now())));
          return { enclosed, slowest: slowest(registered) };
        });
        if (done.enclosed !== 6) throw new Error(`${done.enclosed} of 6 scans were enclosed, ${read} files read`);
        return `all scans were enclosed, the slowest registration took ${done.slowest.toFixed(0)} ms; ${read} files read`;
      }),
  },
];

async function several(arena: Arena, births: number): Promise<readonly EventDocument[]> {
  const made: EventDocument[] = [];
  for (let at = 0; at < births; at += 1) made.push(await aBirthWithScans(arena, 1));
  return made;
}

import { randomUUID } from 'node:crypto';
import { request } from 'node:http';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { EventDocument } from '../../../src/kernel/domain/event-action.js';
import { aRegisteredStatus } from '../../support/builders/a-legal-status.js';
import { anAction } from '../../support/builders/an-action.js';
import { anEventDocument } from '../../support/builders/an-event-document.js';
import { type Answer, type Arena, type AttackingClient, only, some, statuses, times } from '../arena.js';
import type { Attack } from '../attack.js';

async function aFacility(arena: Arena, { token }: AttackingClient): Promise<string> {
  const answer = await fetch(`${arena.publicUrl}/locations?locationType=HEALTH_FACILITY&limit=1`, {
    headers: { authorization: `Bearer ${token}` },
  });
  const [facility] = (await answer.json()) as readonly { readonly id: string }[];
  if (facility === undefined) throw new Error('the country has no hospital');
  return facility.id;
}

const notify = (
  arena: Arena,
  { token }: AttackingClient,
  createdAtLocation: string,
  declaration: object,
): Promise<Answer> =>
  arena.post('/events/notify', {
    token,
    body: { transactionId: randomUUID(), eventType: 'birth', createdAtLocation, declaration },
  });

const aBirth = (at: number): object => ({ 'child.name': { firstname: 'Many', surname: `Times ${at}` } });

/** A registered birth whose history is long. */
const aLongEvent = (): EventDocument => {
  const { registrationNumber } = aRegisteredStatus();
  const annotation = { note: 'x'.repeat(900_000) };
  return anEventDocument({ actions: [anAction(), anAction({ type: 'REGISTER', registrationNumber, annotation })] });
};

const triggered = async (arena: Arena, body: EventDocument): Promise<Answer> =>
  arena.post('/trigger/events/birth/actions/REGISTER', {
    token: await arena.issuer.token(),
    body,
    listener: 'internal',
  });

/** An object of so many levels. */
const nested = (levels: number): object => (levels === 0 ? { end: 'here' } : { in: nested(levels - 1) });

export const RECORD_ATTACKS: readonly Attack[] = [
  {
    attack: '1,000 notifications of one client at once',
    act: async (arena) => {
      const client = await arena.client();
      const facility = await aFacility(arena, client);
      const answers = await Promise.all(times(1_000, (at) => notify(arena, client, facility, aBirth(at))));
      only(answers, [200, 503]);
      some(answers, 200);
      return `notifications ${statuses(answers)}`;
    },
  },
  {
    attack: '20 notifications with a word of 40,000 digits and a letter of another script',
    act: async (arena) => {
      const client = await arena.client();
      const facility = await aFacility(arena, client);
      const surname = `${'1'.repeat(40_000)}я`;
      const answers = await Promise.all(
        times(20, () => notify(arena, client, facility, { 'child.name': { firstname: 'Many', surname } })),
      );
      only(answers, [200]);
      return `notifications ${statuses(answers)}`;
    },
  },
  {
    attack: '40 notifications of a megabyte each: field ids, one name, nested maps',
    act: async (arena) => {
      const client = await arena.client();
      const facility = await aFacility(arena, client);
      const many = (at: number) => Object.fromEntries(times(60_000, (key) => [`k${at}.${key}`, 'v']));
      const long = () => ({ 'child.name': { firstname: 'long '.repeat(190_000), surname: 'x' } });
      const deep = () => ({ 'child.name': nested(2_000) });
      const answers = await Promise.all(
        times(40, (at) => notify(arena, client, facility, at % 3 === 0 ? many(at) : at % 3 === 1 ? long() : deep())),
      );
      only(answers, [200, 400, 503]);
      return `notifications ${statuses(answers)}`;
    },
  },
  {
    attack: 'a notification of a field with a name of 500,000 characters and 50,000 numbers that no double holds',
    act: async (arena) => {
      const client = await arena.client();
      const facility = await aFacility(arena, client);
      const faulty = { ['k'.repeat(500_000)]: times(50_000, () => 9e99) };
      const answers = await Promise.all(times(8, () => notify(arena, client, facility, faulty)));
      only(answers, [400]);
      return `notifications ${statuses(answers)}`;
    },
  },
  {
    attack: '120 triggers of 900 kB at once, with a long annotation each',
    act: async (arena) => {
      const answers = await Promise.all(times(120, () => triggered(arena, aLongEvent())));
      only(answers, [200, 503]);
      some(answers, 200);
      return `triggers ${statuses(answers)}`;
    },
  },
  {
    attack: 'an event of 900 kB asked for 600 times on 30 connections, which read nothing',
    act: async (arena) => {
      const event = aLongEvent();
      only([await triggered(arena, event)], [200]);
      const { token } = await arena.client('NATIONAL_ID');
      const { hostname, port } = new URL(arena.publicUrl);
      const ask = `GET /events/${event.id} HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${token}\r\n\r\n`;
      const sockets = times(30, () => connect(Number(port), hostname).on('error', () => undefined));
      let most = 0;
      try {
        for (const socket of sockets) {
          socket.pause();
          socket.write(ask.repeat(20));
        }
        for (let second = 0; second < 6; second += 1) {
          await sleep(1_000);
          most = Math.max(most, await arena.heldMegabytes());
        }
      } finally {
        for (const socket of sockets) socket.destroy();
      }
      return `the process held ${Math.round(most)} MB at most`;
    },
  },
  {
    attack: 'one event read 2,000 times',
    act: async (arena) => {
      const [health, reader] = [await arena.client(), await arena.client('NATIONAL_ID')];
      const facility = await aFacility(arena, health);
      const made = await notify(arena, health, facility, aBirth(0));
      only([made], [200]);
      const { id } = JSON.parse(made.text) as { readonly id: string };
      const headers = { authorization: `Bearer ${reader.token}` };
      let last = 0;
      const found = new Map<number, number>();
      for (let round = 0; round < 40; round += 1) {
        const answers = await Promise.all(
          times(50, async () => {
            const answer = await fetch(`${arena.publicUrl}/events/${id}`, { headers });
            last = (await answer.text()).length;
            return answer.status;
          }),
        );
        for (const status of answers) found.set(status, (found.get(status) ?? 0) + 1);
      }
      const told = [...found].map(([status, count]) => `${status}: ${count}`).join(', ');
      if ([...found.keys()].some((status) => status !== 200 && status !== 503)) throw new Error(told);
      if (last > 600_000) throw new Error(`the event has grown to ${last} characters`);
      return `${told}; the event has ${Math.round(last / 1_000)} kB`;
    },
  },
  {
    attack: '100 attachments that drip a byte a second',
    act: async (arena) => {
      const client = await arena.client();
      const head =
        '--b\r\ncontent-disposition: form-data; name="transactionId"\r\n\r\nslow\r\n' +
        '--b\r\ncontent-disposition: form-data; name="file"; filename="a.pdf"\r\n\r\n%PDF-1.4\n';
      const refused = new Map<number, number>();
      const uploads = times(100, () => {
        const upload = request(
          `${arena.publicUrl}/attachments`,
          {
            method: 'POST',
            agent: false,
            headers: { authorization: `Bearer ${client.token}`, 'content-type': 'multipart/form-data; boundary=b' },
          },
          (answer) => {
            refused.set(answer.statusCode ?? 0, (refused.get(answer.statusCode ?? 0) ?? 0) + 1);
            answer.resume();
          },
        );
        upload.on('error', () => undefined);
        upload.write(head);
        return upload;
      });
      const drip = setInterval(() => {
        for (const upload of uploads) if (!upload.destroyed) upload.write('.');
      }, 1_000);
      try {
        await sleep(5_000);
        const other = await arena.client();
        const facility = await aFacility(arena, other);
        const answers = await Promise.all(times(10, (at) => notify(arena, other, facility, aBirth(at))));
        only(answers, [200]);
        const told = [...refused].map(([status, count]) => `${status}: ${count}`).join(', ');
        return `uploads at once refused ${told || 'none'}; another client's notifications ${statuses(answers)}`;
      } finally {
        clearInterval(drip);
        for (const upload of uploads) upload.destroy();
      }
    },
  },
];

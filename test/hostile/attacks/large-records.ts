import { randomUUID } from 'node:crypto';
import type { EventDocument } from '../../../src/kernel/domain/event-action.js';
import { anAction } from '../../support/builders/an-action.js';
import { anEventDocument } from '../../support/builders/an-event-document.js';
import { type Answer, type Arena, only, some, statuses, times } from '../arena.js';
import type { Attack } from '../attack.js';
import { uploadOf } from '../upload-form.js';

/** A birth whose history has 3.4 MB in 40,000 values, told of in four parts, and the name of the file that it names. */
async function aLargeEvent(arena: Arena): Promise<{ readonly id: string; readonly file: string }> {
  const [token, scan] = [await arena.issuer.token(), randomUUID()];
  const document = anEventDocument({ actions: [anAction()] });
  const path = `events/${document.id}/${scan}.pdf`;
  const parts = times(4, (at): EventDocument => {
    const values = Object.fromEntries(times(10_000, (key) => [`field${at}.${key}`, 'x'.repeat(65)]));
    const annotation = { ...values, scan: { path, type: 'application/pdf', originalFilename: 'scan.pdf' } };
    return { ...document, actions: [...document.actions, anAction({ type: 'PRINT_CERTIFICATE', annotation })] };
  });
  for (const body of parts) {
    const path = '/trigger/events/birth/actions/PRINT_CERTIFICATE';
    only([await arena.post(path, { token, body, listener: 'internal' })], [200]);
  }
  const uploader = await arena.client();
  const form = uploadOf({ transactionId: scan, eventId: document.id });
  const uploaded = await arena.post('/attachments', { token: uploader.token, ...form });
  only([uploaded], [200]);
  return { id: document.id, file: `${scan}.pdf` };
}

/** A search of a megabyte. */
const aLongSearch = (at: number): object => {
  const terms = (from: number) => times(995, (term) => `${at}.${from + term}.`.padEnd(63, 'x'));
  return { clauses: [0, 995].map((from) => ({ data: { 'child.note': { type: 'anyOf', terms: terms(from) } } })) };
};

interface Page {
  readonly results: readonly { readonly operation: string; readonly requestData: { readonly bytes?: number } }[];
  readonly total: number;
}

export const LARGE_RECORD_ATTACKS: readonly Attack[] = [
  {
    attack: '400 addresses of a file of one event of 3.4 MB at once, beside 80 uploads that name it',
    act: async (arena) => {
      const { id, file } = await aLargeEvent(arena);
      const [reader, uploader] = [await arena.client('NATIONAL_ID'), await arena.client()];
      const ask = (): Promise<Answer> => arena.ask('GET', `/events/${id}/files/${file}/url`, { token: reader.token });
      const upload = (): Promise<Answer> =>
        arena.post('/attachments', {
          token: uploader.token,
          ...uploadOf({ transactionId: randomUUID(), eventId: id }),
        });
      const [addresses, uploads] = await Promise.all([Promise.all(times(400, ask)), Promise.all(times(80, upload))]);
      only([...addresses, ...uploads], [200, 503]);
      some(addresses, 200);
      some(uploads, 200);
      return `addresses ${statuses(addresses)}; uploads ${statuses(uploads)}`;
    },
  },
  {
    attack: 'an event of 3.4 MB read 80 times at once',
    act: async (arena) => {
      const { id } = await aLargeEvent(arena);
      const { token } = await arena.client('NATIONAL_ID');
      const answers = await Promise.all(times(80, () => arena.ask('GET', `/events/${id}`, { token })));
      only(answers, [200, 503]);
      some(answers, 200);
      return statuses(answers);
    },
  },
  {
    attack: '100 searches of 130 kB each, then 20 pages of what their client did',
    act: async (arena) => {
      const client = await arena.client();
      const found: Answer[] = [];
      for (let at = 0; at < 100; at += 10) {
        found.push(
          ...(await Promise.all(times(10, (more) => arena.search(client, aLongSearch(at + more), { limit: 1 })))),
        );
      }
      only(found, [200, 503]);
      some(found, 200);
      const token = await arena.issuer.token();
      const path = `/integrations/${client.client_id}/audit?count=100`;
      const pages = await Promise.all(times(20, () => arena.ask('GET', path, { token })));
      only(pages, [200, 503]);
      some(pages, 200);
      const whole = pages.filter(({ status }) => status === 200).map(({ text }) => text);
      const [first] = whole.map((text) => JSON.parse(text) as Page);
      const cut = first?.results.filter(({ requestData }) => (requestData.bytes ?? 0) > 130_000).length ?? 0;
      const longest = Math.max(...whole.map((text) => text.length));
      if (cut === 0 || longest > 3_000_000) throw new Error(`a page has ${longest} characters and ${cut} cut requests`);
      return `searches ${statuses(found)}; pages ${statuses(pages)}, of ${Math.round(longest / 1_000)} kB at most`;
    },
  },
];

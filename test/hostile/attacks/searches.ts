import { aRecord } from '../../support/builders/a-record.js';
import { aText, only, some, statuses, texts, times } from '../arena.js';
import type { Attack } from '../attack.js';

/** 400 where the budget says no, 503 where the turn or the time was over: both are answers. */
const ANSWERED = [200, 400, 503];

const anyOf = (terms: readonly string[]) => ({ type: 'anyOf', terms });
const fuzzy = (term: string) => ({ type: 'fuzzy', term });
const or = (clauses: readonly object[]) => ({ type: 'or', clauses });
const wide = (clauses: number) => or([...times(clauses, () => ({ data: anyOf(texts(10)) })), { data: fuzzy(aText()) }]);
const digits = (): string => String(Math.floor(Math.random() * 1e10)).padStart(10, '7');

export const SEARCH_ATTACKS: readonly Attack[] = [
  {
    attack: 'any field of the declaration, 1,000 terms a clause: 1, 20 and 110 clauses, together',
    act: async (arena) => {
      const client = await arena.client();
      const answers = await Promise.all(
        [1, 20, 110].map((count) => arena.search(client, or(times(count, () => ({ data: anyOf(texts(1_000)) }))))),
      );
      only(answers, ANSWERED);
      return statuses(answers);
    },
  },
  {
    attack: '66,000 names, 1,000 a clause',
    act: async (arena) => {
      const client = await arena.client();
      const clauses = times(66, () => ({ data: { 'child.name': anyOf(texts(1_000)) } }));
      const answers = [await arena.search(client, or(clauses)), await arena.search(client, or(clauses.slice(0, 2)))];
      only(answers.slice(0, 1), [200, 400]);
      only(answers.slice(1), [200]);
      return statuses(answers);
    },
  },
  {
    attack: 'terms of 8,000 dots between the letters of an address, and of as many accents out of order',
    act: async (arena) => {
      const client = await arena.client();
      const terms = [`a${'.'.repeat(8_000)}b@c`, `a${'\u0300\u0316'.repeat(4_000)}`];
      const answers = await Promise.all(
        terms.map((term) => arena.search(client, or([{ data: { 'child.name': anyOf([term]) } }]))),
      );
      only(answers, [200]);
      return statuses(answers);
    },
  },
  {
    attack: 'fuzzy clauses of 40 numbers, eight times at once, and of 28 times 20',
    act: async (arena) => {
      const client = await arena.client();
      const query = (clauses: number, words: number): object =>
        or(times(clauses, () => ({ data: fuzzy(times(words, digits).join(' ').slice(0, 256)) })));
      const answers = await Promise.all(times(8, () => arena.search(client, query(2, 20))));
      only(answers, [200, 503]);
      only([await arena.search(client, query(20, 28))], [400]);
      return statuses(answers);
    },
  },
  {
    attack: '50,000 field ids written, then a fuzzy clause on any field',
    act: async (arena) => {
      const token = await arena.issuer.token();
      const records = times(25, (at) =>
        aRecord({
          declaration: Object.fromEntries(times(2_000, (field) => [`hostile.${at}.${field}`, `Thandiwe ${field}`])),
        }),
      );
      const { status, text } = await arena.post('/events/bulk-import', {
        listener: 'internal',
        token,
        headers: { 'content-type': 'application/x-ndjson' },
        body: records.map((record) => `${JSON.stringify(record)}\n`).join(''),
      });
      if (status !== 200 || !text.includes('"rejected":0')) throw new Error(`not imported: ${text.slice(0, 300)}`);
      const client = await arena.client();
      const answers = await Promise.all(times(4, () => arena.search(client, or([{ data: fuzzy('Thandiwe') }]))));
      only(answers, [200]);
      return statuses(answers);
    },
  },
  {
    attack: 'wide searches that match little, six at once for ten seconds',
    act: async (arena) => {
      const client = await arena.client();
      const until = performance.now() + 10_000;
      const answers = await Promise.all(
        times(6, async () => {
          const own = [];
          while (performance.now() < until) own.push(await arena.search(client, wide(3)));
          return own;
        }),
      );
      only(answers.flat(), ANSWERED);
      // How many of them end within their time is the machine's: a third of one must.
      only([await arena.search(client, wide(1))], [200]);
      return statuses(answers.flat());
    },
  },
  {
    attack: 'the costliest search that is permitted, 200 times at once',
    act: async (arena) => {
      const client = await arena.client();
      const query = or(times(2, () => ({ data: { 'child.name': anyOf(texts(1_000)) } })));
      const answers = await Promise.all(times(200, () => arena.search(client, query)));
      only(answers, [200, 503]);
      some(answers, 200);
      return statuses(answers);
    },
  },
  {
    attack: '200 searches begun, and hung up on',
    act: async (arena) => {
      const client = await arena.client();
      const query = or(times(2, () => ({ data: { 'child.name': anyOf(texts(1_000)) } })));
      const answers = await Promise.all(
        times(200, (at) =>
          arena.post('/events/search', { token: client.token, body: { query }, signal: AbortSignal.timeout(50 + at) }),
        ),
      );
      return `${answers.filter(({ status }) => status === 0).length} hung up`;
    },
  },
];

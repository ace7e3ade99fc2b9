import { randomUUID } from 'node:crypto';

import { only, statuses, times } from '../arena.js';
import type { Attack } from '../attack.js';

const FORM = { 'content-type': 'application/x-www-form-urlencoded' };

export const CREDENTIAL_ATTACKS: readonly Attack[] = [
  {
    attack: '870 kB of JSON keys to the token endpoint, 100 times',
    act: async (arena) => {
      const body = JSON.stringify(Object.fromEntries(times(60_000, (at) => [`key${at}`, at])));
      const answers = await Promise.all(times(100, () => arena.post('/auth/token', { body })));
      only(answers, [413]);
      return statuses(answers);
    },
  },
  {
    attack: '300 wrong secrets for one client at once',
    act: async (arena) => {
      const { client_id } = await arena.client();
      const body = (): string =>
        new URLSearchParams({ client_id, client_secret: randomUUID(), grant_type: 'client_credentials' }).toString();
      const answers = await Promise.all(times(300, () => arena.post('/auth/token', { body: body(), headers: FORM })));
      only(answers, [401, 429]);
      const checked = answers.filter(({ status }) => status === 401).length;
      if (checked > 10) throw new Error(`${checked} were checked`);
      return statuses(answers);
    },
  },
  {
    attack: 'signed tokens whose payload is no object',
    act: async (arena) => {
      const payloads = ['null', '[]', '1', '"text"'];
      const tokens = await Promise.all(payloads.map((payload) => arena.sign(payload)));
      const answers = await Promise.all(
        tokens.map((token) => arena.post('/events/search', { token, body: { query: { clauses: [] } } })),
      );
      only(answers, [401]);
      return statuses(answers);
    },
  },
];

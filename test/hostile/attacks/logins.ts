import { randomUUID } from 'node:crypto';

import { eventually } from '../../support/eventually.js';
import type { Answer } from '../arena.js';
import { only, some, statuses, times } from '../arena.js';
import type { Attack } from '../attack.js';
import { sameTimes } from '../compared-times.js';
import { fromAnywhere, nonceIn, People } from '../people.js';

const CALLS = 300;

/** Throws unless the answers have the same status and the same bytes. */
function sameBytes(answers: readonly Answer[]): void {
  const [first, ...others] = answers.map(({ status, text }) => `${status} ${text}`);
  const other = others.find((one) => one !== first);
  if (other !== undefined) throw new Error(`two answers: ${first ?? ''} and ${other}`);
}

/** Asks for something that is there and for something that is not, by turns; tells the means of their times. */
async function compared(status: number, there: () => Promise<Answer>, nowhere: () => Promise<Answer>): Promise<string> {
  const answers: [Answer[], Answer[]] = [[], []];
  for (const round of times(CALLS, (at) => at)) {
    // Which of them comes first tells nothing either.
    for (const at of round % 2 === 0 ? ([0, 1] as const) : ([1, 0] as const)) {
      answers[at].push(await (at === 0 ? there : nowhere)());
    }
  }
  only(answers.flat(), [status]);
  sameBytes(answers.flat());
  const [is, isNot] = answers.map((all) => all.map(({ ms }) => ms)) as [number[], number[]];
  return `${statuses(answers.flat())}; means ${sameTimes(is, isNot)}`;
}

/** Six digits, none of them sent by anybody. */
const codes = (count: number): string[] => times(count, (at) => String(at + 1).padStart(6, '0'));

export const LOGIN_ATTACKS: readonly Attack[] = [
  {
    attack: `${CALLS} wrong passwords for a user and ${CALLS} for nobody, compared by their bytes and times`,
    act: async (arena) => {
      const people = new People(arena);
      const { username } = await people.user();
      return compared(
        401,
        () => people.auth('authenticate', { username, password: randomUUID() }),
        () => people.auth('authenticate', { username: `u${randomUUID().slice(0, 18)}`, password: randomUUID() }),
      );
    },
  },
  {
    attack: `${CALLS} recoveries of an account and ${CALLS} of none, compared by their bytes and times`,
    act: async (arena) => {
      const people = new People(arena);
      const { email } = await people.user();
      const ofNobody = `${email.slice(0, 10)}@example.net`;
      return compared(
        200,
        () => people.auth('verifyUser', { email, retrieveFlow: 'password' }),
        () => people.auth('verifyUser', { email: ofNobody, retrieveFlow: 'password' }),
      );
    },
  },
  {
    attack: '400 codes for one login at once, each from another address, and then the right one',
    act: async (arena) => {
      const people = new People(arena);
      const person = await people.user();
      const before = arena.said(person.email).length;
      const nonce = await people.nonceOf(person);
      const right = /code (\d{6})/.exec(await people.sent(person, before))?.[1] ?? '';
      const wrong = codes(400).filter((code) => code !== right);
      const answers = await Promise.all(wrong.map((code) => people.auth('verifyCode', { nonce, code })));
      only(answers, [401]);
      const last = await people.auth('verifyCode', { nonce, code: right });
      only([last], [401]);
      sameBytes([...answers, last]);
      return `${statuses(answers)}; the right one ${last.status}`;
    },
  },
  {
    attack: 'the password is known: 30 logins begun at once, and codes sent again, for more attempts',
    act: async (arena) => {
      const people = new People(arena);
      const person = await people.user();
      const { username, password } = person;
      const begun = await Promise.all(times(30, () => people.auth('authenticate', { username, password })));
      only(begun, [200, 429, 503]);
      const nonces = begun.filter(({ status }) => status === 200).map(nonceIn);
      if (nonces.length > 10) throw new Error(`${nonces.length} logins were open at a time`);
      const again = await Promise.all(
        nonces.flatMap((nonce) =>
          times(6, () => people.auth('resendAuthenticationCode', { nonce, notificationEvent: '2fa' })),
        ),
      );
      only(again, [200, 401]);
      const sent = again.filter(({ status }) => status === 200).length;
      if (sent > 3 * nonces.length) throw new Error(`${sent} codes were sent again`);
      return `${statuses(begun)}; ${sent} codes sent again`;
    },
  },
  {
    attack: 'a stranger uses up the attempts of a user name, who then logs in from another address',
    act: async (arena) => {
      const people = new People(arena);
      const person = await people.user();
      const stranger = fromAnywhere();
      const spellings = [person.username, person.username.toUpperCase(), person.username.replace('u', 'U')];
      const answers: Answer[] = [];
      for (const at of times(30, (nth) => nth)) {
        const username = spellings[at % spellings.length] ?? '';
        answers.push(await people.auth('authenticate', { username, password: 'no password of his' }, stranger));
      }
      only(answers, [401, 429]);
      const checked = answers.filter(({ status }) => status === 401).length;
      if (checked > 10) throw new Error(`${checked} were checked`);
      await people.login(person);
      return `${statuses(answers)}; the user logs in`;
    },
  },
  {
    attack: '2,000 wrong logins at once, from 200 addresses',
    act: async (arena) => {
      const people = new People(arena);
      const addresses = times(200, fromAnywhere);
      const answers = await Promise.all(
        times(2_000, (at) =>
          people.auth('authenticate', { username: `nobody${at}`, password: 'x'.repeat(200) }, addresses[at % 200]),
        ),
      );
      only(answers, [401, 429, 503]);
      some(answers, 401);
      return statuses(answers);
    },
  },
  {
    attack: 'oversized and malformed bodies to every route of logins and sessions, 20 kinds each',
    act: async (arena) => {
      const deep = `${'['.repeat(20_000)}${']'.repeat(20_000)}`;
      const keys = JSON.stringify(Object.fromEntries(times(60_000, (at) => [`key${at}`, at])));
      const member = (value: unknown) => (name: string) => JSON.stringify({ [name]: value });
      const kinds: readonly ((name: string) => string)[] = [
        ...['', '{', 'null', '[]', '"text"', '1', '{"__proto__":{}}', deep, keys].map((body) => () => body),
        ...[null, 1, true, [], {}, '', '\u0000', '\ud800', 'x'.repeat(60_000), '﷽'.repeat(5_000)].map(member),
        () => JSON.stringify({ other: 'x'.repeat(2_000_000) }),
      ];
      const answers: Answer[] = [];
      for (const [route, name] of ROUTES) {
        const bodies = kinds.map((kind) => kind(name));
        answers.push(
          ...(await Promise.all(bodies.map((body) => arena.post(`/auth/${route}`, { body, headers: fromAnywhere() })))),
        );
      }
      only(answers, [200, 400, 401, 413, 415]);
      return statuses(answers);
    },
  },
  {
    attack: '1,500 links asked for at once for nobody, and for five users in between',
    isCostly: true,
    act: async (arena) => {
      const people = new People(arena);
      const persons = await Promise.all(times(5, () => people.user()));
      const ask = async (email: string, isKnown: boolean): Promise<Answer> => {
        const answer = await people.auth('verifyUser', { email, retrieveFlow: 'password' });
        const isSent = (): boolean => arena.said(email).some((said) => said.startsWith('password-reset-link'));
        if (isKnown && answer.status === 200) await eventually('the link is sent', isSent, 180_000);
        return answer;
      };
      const answers = await Promise.all(
        times(1_500, (at) => {
          const email = persons[(at - 150) / 300]?.email;
          return ask(email ?? `nobody-${at}@example.net`, email !== undefined);
        }),
      );
      only(answers, [200, 503]);
      const asked = answers.filter((_, at) => (at - 150) % 300 === 0);
      some(asked, 200);
      return `${statuses(answers)}; of five users ${statuses(asked)}, whose links were sent`;
    },
  },
];

/** The routes that strangers reach, and a member that each takes. */
const ROUTES = [
  ['authenticate', 'password'],
  ['authenticate-super-user', 'password'],
  ['verifyCode', 'code'],
  ['resendAuthenticationCode', 'nonce'],
  ['refreshToken', 'token'],
  ['invalidateToken', 'token'],
  ['verifyToken', 'token'],
  ['verifyUser', 'email'],
  ['verifyRecoveryToken', 'token'],
  ['verifySecurityAnswer', 'answer'],
  ['changePassword', 'newPassword'],
  ['sendUserName', 'nonce'],
  ['revoke', 'token'],
  ['introspect', 'token'],
] as const;

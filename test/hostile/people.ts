import { randomInt, randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';

import type { Answer, Arena, Asked } from './arena.js';
import { only } from './arena.js';

const LOGGED_MS = 10_000;

/** A user of the service under attack, as he knows himself. */
export interface Person {
  readonly id: string;
  readonly username: string;
  readonly password: string;
  readonly email: string;
}

/** What a login and a refresh answer. */
export interface Session {
  readonly token: string;
  readonly refreshToken: string;
}

/** As if from an address of its own, which no limit has counted yet. */
export const fromAnywhere = (): Record<string, string> => ({
  'x-forwarded-for': [100 + randomInt(100), randomInt(256), randomInt(256), randomInt(256)].join('.'),
});

/** What a login or a refresh was answered. */
export const sessionIn = ({ text }: Answer): Session => JSON.parse(text) as Session;

/** The nonce in an answer. */
export const nonceIn = ({ text }: Answer): string => (JSON.parse(text) as { nonce: string }).nonce;

const idIn = ({ text }: Answer): string => (JSON.parse(text) as { id: string }).id;

/** The people who work with the service: administered, and sent their codes, as an operator does it. */
export class People {
  private office: Promise<string> | undefined;

  constructor(private readonly arena: Arena) {}

  /** A request to an auth route, from an address of its own unless `headers` say otherwise. */
  auth(route: string, body: Asked['body'] & object, headers: Readonly<Record<string, string>> = fromAnywhere()) {
    return this.arena.post(`/auth/${route}`, { body, headers });
  }

  /** A request to the routes of users on the internal port, as the national administrator. */
  async administer(method: 'GET' | 'POST' | 'PATCH', path: string, body: object = {}): Promise<Answer> {
    const token = await this.arena.issuer.token();
    const answer = await this.arena.ask(method, `/users${path}`, { body, token, listener: 'internal' });
    only([answer], [200, 201]);
    return answer;
  }

  async user(role = 'LOCAL_REGISTRAR'): Promise<Person> {
    const name = `u${randomUUID().slice(0, 18)}`;
    const order = { username: name, password: `pass ${randomUUID()}`, email: `${name}@example.org` };
    const primaryOfficeId = await (this.office ??= this.anOffice());
    const body = { ...order, name: { firstname: 'Ana', surname: 'Banda' }, role, primaryOfficeId };
    return { ...order, id: idIn(await this.administer('POST', '', body)) };
  }

  /** The first step of a login. */
  async nonceOf({ username, password }: Person): Promise<string> {
    const answer = await this.auth('authenticate', { username, password });
    only([answer], [200]);
    return nonceIn(answer);
  }

  async login(person: Person): Promise<Session> {
    const before = this.arena.said(person.email).length;
    const nonce = await this.nonceOf(person);
    const code = /code (\d{6})/.exec(await this.sent(person, before))?.[1] ?? '';
    const answer = await this.auth('verifyCode', { nonce, code });
    only([answer], [200]);
    return sessionIn(answer);
  }

  /** The latest of what he was sent, past the first so many. */
  async sent({ email }: Person, after: number): Promise<string> {
    const until = performance.now() + LOGGED_MS;
    while (performance.now() < until) {
      const said = this.arena.said(email);
      if (said.length > after) return said[0] ?? '';
      await sleep(20);
    }
    throw new Error('nothing was sent');
  }

  /** The token in the link that he is sent to set a new password. */
  async recoveryToken(person: Person): Promise<string> {
    const before = this.arena.said(person.email).length;
    only([await this.auth('verifyUser', { email: person.email, retrieveFlow: 'password' })], [200]);
    const link = /[:,] link (\S+)/.exec(await this.sent(person, before))?.[1] ?? '';
    return new URL(link).searchParams.get('token') ?? '';
  }

  refresh({ refreshToken }: Pick<Session, 'refreshToken'>): Promise<Answer> {
    return this.auth('refreshToken', { token: refreshToken });
  }

  /** A search with an access token. */
  search(token: string): Promise<Answer> {
    return this.arena.search({ token }, { clauses: [{ eventType: 'birth' }] }, { limit: 0 });
  }

  private async anOffice(): Promise<string> {
    const token = await this.arena.issuer.token();
    const answer = await this.arena.ask('GET', '/locations?locationType=CRVS_OFFICE', { token });
    only([answer], [200]);
    const [office] = JSON.parse(answer.text) as readonly { readonly id: string }[];
    if (office === undefined) throw new Error('there is no office');
    return office.id;
  }
}

import { randomUUID } from 'node:crypto';

import { ask } from './requests.js';
import type { ServiceProcess } from './service-process.js';
import type { World } from './world.js';

const OFFICE = '00000000-0000-4000-8000-00000000c1e4';
const PASSWORD = 'correct horse';

/** What a login and a refresh answer. */
export interface Tokens {
  readonly token: string;
  readonly refreshToken: string;
}

/** Users of a scenario's service, and what they ask of it. */
export class Clerks {
  private constructor(private readonly world: World) {}

  /** With the office where they all work. */
  static async of(world: World): Promise<Clerks> {
    await world.query(`insert into place (id, kind, name, part_of, location_type)
                       values ('${OFFICE}', 'location', 'Office', null, 'CRVS_OFFICE')`);
    return new Clerks(world);
  }

  /** A user without a password, to whom the service owes an invitation; the status that was answered, or none. */
  async invite(username: string, service: ServiceProcess): Promise<number | undefined> {
    return statusOf(`${service.urls?.internalUrl ?? ''}/users`, await this.world.token, this.order(username));
  }

  /** Names of active users, whose password is hashed once for all. */
  async active(count: number, service: ServiceProcess): Promise<readonly string[]> {
    const order = { ...this.order(newName()), password: PASSWORD };
    await ask(201, `${service.urls?.internalUrl ?? ''}/users`, await this.world.token, order);
    const names = Array.from({ length: count }, newName);
    await this.world.query(`
      insert into user_account (user_id, username, username_key, firstname, surname, role, primary_office_id, status,
                                email, password_hash)
      select gen_random_uuid(), name, name, firstname, surname, role, primary_office_id, status, name || '@example.org',
             password_hash
        from user_account cross join unnest('{${names.join(',')}}'::text[]) as name
       where username = '${order.username}'`);
    return names;
  }

  /** The first step of a login; without the country's code there is no second. */
  async begin(username: string, service: ServiceProcess): Promise<string> {
    const url = `${service.urls?.publicUrl ?? ''}/auth/authenticate`;
    return (await ask<{ readonly nonce: string }>(200, url, '', { username, password: PASSWORD })).nonce;
  }

  /** A login where no codes are sent. */
  async logIn(username: string, service: ServiceProcess): Promise<Tokens> {
    const body = { nonce: await this.begin(username, service), code: '000000' };
    return ask<Tokens>(200, `${service.urls?.publicUrl ?? ''}/auth/verifyCode`, '', body);
  }

  /** The new tokens, the status of another answer, or undefined where none came. */
  async refresh({ refreshToken }: Tokens, service: ServiceProcess): Promise<Tokens | number | undefined> {
    try {
      const answer = await fetch(`${service.urls?.publicUrl ?? ''}/auth/refreshToken`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ token: refreshToken }),
      });
      const text = await answer.text();
      return answer.status === 200 ? (JSON.parse(text) as Tokens) : answer.status;
    } catch {
      return undefined;
    }
  }

  /** Whether the access token is accepted. */
  async isAccepted({ token }: Tokens, service: ServiceProcess): Promise<boolean> {
    const url = `${service.urls?.publicUrl ?? ''}/auth/verifyToken`;
    return (await ask<{ readonly valid: boolean }>(200, url, '', { token })).valid;
  }

  private order(username: string) {
    const name = { firstname: 'Ana', surname: 'Banda' };
    return { username, name, role: 'HOSPITAL_CLERK', primaryOfficeId: OFFICE, email: `${username}@example.org` };
  }
}

/** A user name that nobody has. */
export const newName = (): string => `u${randomUUID().slice(0, 18)}`;

async function statusOf(url: string, token: string, body: object): Promise<number | undefined> {
  try {
    const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}` };
    const answer = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) });
    await answer.arrayBuffer();
    return answer.status;
  } catch {
    return undefined;
  }
}

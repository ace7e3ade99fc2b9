import { request } from 'undici';

import type { EventDocument } from '../../src/kernel/domain/event-action.js';
import { aRegisteredStatus } from '../support/builders/a-legal-status.js';
import { anAction } from '../support/builders/an-action.js';
import { anEventDocument } from '../support/builders/an-event-document.js';

/** A client's credentials, as its registration answers them. */
export interface Client {
  readonly client_id: string;
  readonly client_secret: string;
  readonly sha_secret: string;
}

/** A birth that is registered, as a country's trigger feed sends it. */
export const aRegistration = (): EventDocument => {
  const { registrationNumber } = aRegisteredStatus();
  return anEventDocument({ actions: [anAction(), anAction({ type: 'REGISTER', registrationNumber })] });
};

/** The status of the answer; undefined when there is none. */
export async function postEvent(base: string | undefined, token: string, body: string): Promise<number | undefined> {
  if (base === undefined) return undefined;
  try {
    const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}` };
    const answer = await request(`${base}/trigger/events/birth/actions/REGISTER`, { method: 'POST', headers, body });
    await answer.body.dump();
    return answer.statusCode;
  } catch {
    return undefined;
  }
}

/** Asks by POST. Throws when the answer has another status than is expected. */
export async function ask<T>(expected: number, url: string, token: string, body: object): Promise<T> {
  const answer = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(token !== '' && { authorization: `Bearer ${token}` }) },
    body: JSON.stringify(body),
  });
  const text = await answer.text();
  if (answer.status !== expected) throw new Error(`${url} answered ${answer.status}: ${text}`);
  return (text === '' ? undefined : JSON.parse(text)) as T;
}

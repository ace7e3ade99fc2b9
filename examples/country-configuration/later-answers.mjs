import { setTimeout as sleep } from 'node:timers/promises';

const MOST_ATTEMPTS = 20;

/** Accepts actions later, with the token of a system client that has the scope `type=record.action.accept`. */
export class LaterAnswers {
  #underWay = new Set();

  constructor({ matriculaUrl, clientId, clientSecret, delayMs }) {
    Object.assign(this, { matriculaUrl, clientId, clientSecret, delayMs });
  }

  /** Once for each action, however often it is posted. */
  accept(event, action) {
    if (this.#underWay.has(action.id)) return;
    this.#underWay.add(action.id);
    void this.#acceptLater(event, action).finally(() => this.#underWay.delete(action.id));
  }

  async #acceptLater(event, action) {
    for (let attempt = 1; attempt <= MOST_ATTEMPTS; attempt += 1) {
      await sleep(this.delayMs * attempt);
      const status = await this.#accept(event, action).catch((error) => error.message);
      console.log(`${action.type} ${event.trackingId}: accepted later: ${status}`);
      // A user who has taken the event in the meantime gives it back some time.
      if (status === 200 || (status >= 400 && status < 500 && status !== 409 && status !== 429)) return;
    }
  }

  async #accept({ id: eventId }, { id: actionId }) {
    const body = { eventId, actionId, transactionId: `accept-${actionId}`, annotation: { parents: 'known' } };
    const answer = await fetch(new URL(`/events/${eventId}/actions/${actionId}/accept`, this.matriculaUrl), {
      method: 'POST',
      headers: { authorization: `Bearer ${await this.#token()}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(10_000),
    });
    await answer.arrayBuffer();
    return answer.status;
  }

  async #token() {
    const answer = await fetch(new URL('/auth/token', this.matriculaUrl), {
      method: 'POST',
      body: new URLSearchParams({
        grant_type: 'client_credentials',
        client_id: this.clientId,
        client_secret: this.clientSecret,
      }),
      signal: AbortSignal.timeout(10_000),
    });
    if (!answer.ok) throw new Error(`no token: ${answer.status}`);
    return (await answer.json()).access_token;
  }
}

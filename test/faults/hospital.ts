import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';

import { request } from 'undici';

import { field, file, MULTIPART, multipart } from '../support/multipart.js';
import type { Client } from './requests.js';
import { ask } from './requests.js';
import type { ServiceProcess } from './service-process.js';
import type { World } from './world.js';

const PAUSE_MS = 100;
/** How long one request may be refused for, the service or its database being away. */
const ANSWERED_MS = 60_000;

/** What is answered to a notification: the event, without what changes of it. */
export interface Notified {
  readonly id: string;
  readonly trackingId: string;
  readonly actions: readonly { readonly id: string }[];
}

/** A form with a file, and how long after each piece of it the next one follows. */
export interface SlowForm {
  readonly content: Uint8Array;
  readonly pieces: number;
  readonly pauseMs: number;
}

interface Asked {
  readonly path: string;
  readonly contentType: string;
  /** The body anew for each try. */
  readonly body: () => string | Readable;
}

/** A hospital's system: what is not answered, or with a 503, it sends again to one process after the other. */
export class Hospital {
  private constructor(
    private readonly services: readonly ServiceProcess[],
    private readonly token: string,
    private readonly location: string,
  ) {}

  static async register(world: World, services: readonly ServiceProcess[] = [world.service]): Promise<Hospital> {
    const { internalUrl = '' } = world.service.urls ?? {};
    const { client_id: id } = await ask<Client>(201, `${internalUrl}/registerSystemClient`, await world.token, {
      scope: 'HEALTH',
    });
    const place = { name: 'Hospital', administrativeAreaId: null, locationType: 'HEALTH_FACILITY' };
    const location = await ask<{ id: string }>(200, `${internalUrl}/locations`, await world.token, place);
    return new Hospital(services, await world.clientToken(id, ['health']), location.id);
  }

  /** Creates and notifies a birth; `files` is what it names. */
  notify(transactionId: string, files: readonly string[] = []): Promise<Notified> {
    const proofs = files.map((path) => ({ path, originalFilename: 'proof.png', type: 'image/png', option: 'PROOF' }));
    const declaration = {
      'child.name': { firstname: 'Ana', surname: transactionId.slice(0, 8) },
      ...(files.length > 0 && { 'documents.proof': proofs }),
    };
    const body = JSON.stringify({ transactionId, eventType: 'birth', createdAtLocation: this.location, declaration });
    return this.untilAnswered({ path: '/events/notify', contentType: 'application/json', body: () => body });
  }

  /** Uploads a file for no record yet, and resolves with its path. */
  async upload(transactionId: string, { content, pieces, pauseMs }: SlowForm): Promise<string> {
    const form = multipart([field('transactionId', transactionId), file(content)]);
    const size = Math.ceil(form.length / pieces);
    async function* slowly(): AsyncGenerator<Uint8Array> {
      for (let at = 0; at < form.length; at += size) {
        yield form.subarray(at, at + size);
        await sleep(pauseMs);
      }
    }
    const asked = { path: '/attachments', contentType: MULTIPART, body: () => Readable.from(slowly()) };
    const { result } = await this.untilAnswered<{ result: { data: { json: string } } }>(asked);
    return result.data.json;
  }

  private async untilAnswered<T>(asked: Asked): Promise<T> {
    const untilMs = performance.now() + ANSWERED_MS;
    for (let at = Math.floor(Math.random() * this.services.length); performance.now() < untilMs; at += 1) {
      const answered = await this.answered<T>(this.services[at % this.services.length], asked);
      if (answered !== undefined) return answered;
      await sleep(PAUSE_MS);
    }
    throw new Error(`${asked.path} was not answered within ${ANSWERED_MS} ms`);
  }

  /** Undefined where nothing, or a 503, was answered. */
  private async answered<T>(service: ServiceProcess | undefined, { path, contentType, body }: Asked) {
    const base = service?.urls?.publicUrl;
    if (base === undefined) return undefined;
    const answer = await request(`${base}${path}`, {
      method: 'POST',
      headers: { 'content-type': contentType, authorization: `Bearer ${this.token}` },
      body: body(),
    }).then(
      async ({ statusCode, body: received }) => ({ statusCode, text: await received.text() }),
      () => undefined,
    );
    if (answer === undefined || answer.statusCode === 503) return undefined;
    if (answer.statusCode !== 200) throw new Error(`${path} was answered with ${answer.statusCode}: ${answer.text}`);
    return JSON.parse(answer.text) as T;
  }
}

/** Lets so many callers at a time work through what there is. */
export async function inCrowd<T>(callers: number, all: readonly T[], work: (one: T) => Promise<void>): Promise<void> {
  const queue = [...all];
  const caller = async (): Promise<void> => {
    for (let one = queue.shift(); one !== undefined; one = queue.shift()) await work(one);
  };
  await Promise.all(Array.from({ length: callers }, caller));
}

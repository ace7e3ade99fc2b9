import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';

import { Reflector } from '@nestjs/core';
import { ExecutionContextHost } from '@nestjs/core/helpers/execution-context-host.js';

import { MIB } from '../../kernel/domain/bytes.js';
import { readConfig } from '../../platform/config/read-config.js';
import { Capacities } from '../../platform/queue/capacities.js';
import { Listeners } from '../http/listeners.js';
import { BodyGuard } from './body.guard.js';

const config = readConfig({});
const guard = (): BodyGuard => new BodyGuard(new Reflector(), new Listeners(config), new Capacities(config), config);

/** A request with a body of a megabyte, none of which has come. */
function asked(by: BodyGuard, subject: string | undefined) {
  const raw = new IncomingMessage(new Socket());
  raw.headers['content-length'] = String(MIB);
  const request = {
    raw,
    headers: raw.headers,
    method: 'DELETE',
    ...(subject !== undefined && { caller: { subject } }),
  };
  const answer = new Socket();
  const context = new ExecutionContextHost([request, { raw: answer }], Object, asked);
  const outcome = by.canActivate(context).catch(String);
  return { raw, answer, outcome, isRead: () => raw.listenerCount('data') > 0 };
}

const settled = (): Promise<void> => new Promise(setImmediate);

describe('large bodies', () => {
  it('are read as far as their caller has room, while those of others are read', async () => {
    const by = guard();
    const all = Array.from({ length: 34 }, () => asked(by, 'one'));
    const [other, stranger] = [asked(by, 'other'), asked(by, undefined)];
    await settled();
    const reading = (): number => all.filter(({ isRead }) => isRead()).length;
    expect([reading(), other.isRead(), stranger.isRead()]).toEqual([32, true, true]);
    all[32]?.answer.destroy();
    expect(await all[32]?.outcome).toMatch(/hung up/);
    all[0]?.raw.push(Buffer.alloc(MIB));
    all[0]?.raw.push(null);
    expect(await all[0]?.outcome).toBe(true);
    await settled();
    expect([reading(), all[33]?.isRead()]).toEqual([32, true]);
    for (const { raw } of [...all, other, stranger]) raw.destroy();
  });
});

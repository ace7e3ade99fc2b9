import { type Notice, NoticeOutbox } from '../../src/auth/notices/notice-outbox.js';
import type { Service } from './auth-service.js';

/**
 * What the service sends to users from now on, instead of sending it: a notice is there once its transaction is over.
 */
export function noticesSentBy(service: Service): Notice[] {
  const enqueued: Notice[] = [];
  const sent: Notice[] = [];
  const outbox = service.app.get(NoticeOutbox, { strict: false });
  jest.spyOn(outbox, 'enqueue').mockImplementation((_, notice) => {
    enqueued.push(notice);
    return Promise.resolve();
  });
  jest.spyOn(outbox, 'announce').mockImplementation(() => {
    sent.push(...enqueued.splice(0));
  });
  return sent;
}

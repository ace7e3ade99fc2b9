import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';

import type { Part } from '../../../test/support/multipart.js';
import { aPng, MULTIPART, multipart } from '../../../test/support/multipart.js';
import { faultsOf } from '../../../test/support/faults-of.js';
import { readAttachmentForm } from './attachment-form.js';

const ID = '3f0c1b1e-7c1e-4a53-9a59-0a2f6b0f6f01';
const FILE: Part = { name: 'file', value: aPng(), fileName: 'scan.png', type: 'image/png' };
const TRANSACTION: Part = { name: 'transactionId', value: 'tx-1' };
const LIMIT = 1_000;

/** The body in pieces of so many bytes. */
const inPieces = (body: Buffer, bytes = 7): Readable =>
  Readable.from(
    (function* () {
      for (let at = 0; at < body.length; at += bytes) yield body.subarray(at, at + bytes);
    })(),
    { objectMode: false },
  );

const read = (body: Readable, contentType = MULTIPART) =>
  readAttachmentForm({ body, contentType, limitBytes: LIMIT }, (file) => buffer(file));
const form = (...parts: readonly Part[]) => read(inPieces(multipart(parts)));

describe('the form of an attachment', () => {
  it.each([
    ['last', [TRANSACTION, { name: 'eventId', value: ID }, FILE]],
    ['first', [FILE, TRANSACTION, { name: 'eventId', value: ID.toUpperCase() }]],
    ['in between', [TRANSACTION, FILE, { name: 'path', value: `events/${ID}` }]],
  ])('is read with its file %s', async (_, parts) => {
    expect(await form(...parts)).toEqual({ fields: { transactionId: 'tx-1', eventId: ID }, file: FILE.value });
  });

  it('needs no event', async () => {
    expect((await form(FILE, TRANSACTION)).fields).toEqual({ transactionId: 'tx-1', eventId: undefined });
  });

  it('makes nothing of the name of the file', async () => {
    const { file } = await form(TRANSACTION, { ...FILE, fileName: '../../../etc/passwd' });
    expect(file).toEqual(FILE.value);
  });

  it.each([
    [`/events/${ID}/`, ID],
    [`events/${ID}`, ID],
    [ID, ID],
  ])('of an older client has the event in path %s', async (path, eventId) => {
    expect((await form(TRANSACTION, { name: 'path', value: path }, FILE)).fields.eventId).toBe(eventId);
  });

  it.each<[string, readonly Part[], readonly string[]]>([
    ['nothing', [], ['transactionId: is required', 'file: is required']],
    ['no file', [TRANSACTION], ['file: is required']],
    [
      'a file that is text',
      [TRANSACTION, { name: 'file', value: 'x' }],
      ['file: must be a file: the part has no file name'],
    ],
    ['a second file', [FILE, TRANSACTION, FILE], ['file: is given more than once']],
    [
      'a second part of everything else',
      [TRANSACTION, TRANSACTION, FILE, { name: 'scan', value: '' }, { ...FILE, name: 'other' }],
      [
        'transactionId: is given more than once',
        'scan: is unknown: a form has transactionId, eventId, path and file',
        'other: is unknown: a form has transactionId, eventId, path and file',
      ],
    ],
    [
      'a file in place of a field',
      [{ ...FILE, name: 'transactionId' }, FILE],
      ['transactionId: must be text, without a file name', 'transactionId: is required'],
    ],
    [
      'a path in the transaction',
      [{ name: 'transactionId', value: '../x' }, FILE],
      ['transactionId: must be 1 to 128 letters, digits, ".", "_" or "-", and begin with a letter or digit'],
    ],
    [
      'what is no event',
      [TRANSACTION, FILE, { name: 'eventId', value: 'one' }, { name: 'path', value: 'events/../x' }],
      ['eventId: must be a UUID', 'path: must be events/ and the id of the event'],
    ],
    [
      'two events',
      [TRANSACTION, FILE, { name: 'eventId', value: ID }, { name: 'path', value: ID.replace('3', '4') }],
      ['path: must name the same event as eventId'],
    ],
  ])('is refused with %s, and every fault is named', async (_, parts, issues) => {
    expect(await faultsOf(form(...parts))).toEqual(issues);
  });

  it('is refused with too many parts', async () => {
    const more = Array.from({ length: 20 }, () => ({ name: 'path', value: ID }));
    expect(await faultsOf(form(TRANSACTION, FILE, ...more))).toContain('body: must have at most 16 parts');
  });

  it('with too many parts is read no further, as each of seven bytes costs as much as thousands of a file', async () => {
    let sent = 0;
    const body = Readable.from(
      (function* () {
        for (; sent < 100; sent += 1) yield Buffer.from('--xxboundaryxx\r\n\r\n'.repeat(1_000));
        yield Buffer.from('--xxboundaryxx--\r\n');
      })(),
      { objectMode: false },
    );
    expect(await faultsOf(read(body))).toEqual(['body: must have at most 16 parts']);
    expect(sent).toBeLessThan(10);
  });

  it('takes a file of just so many bytes, and no byte more', async () => {
    expect((await form(TRANSACTION, { ...FILE, value: aPng(LIMIT) })).file).toHaveLength(LIMIT);
    await expect(form(TRANSACTION, { ...FILE, value: aPng(LIMIT + 1) })).rejects.toMatchObject({
      code: 'PAYLOAD_TOO_LARGE',
      issues: [{ message: 'file: must have at most 1000 bytes' }],
    });
  });

  const MALFORMED = ['body: must be multipart/form-data with a boundary, and whole'];
  const WHOLE = multipart([TRANSACTION, FILE]);
  it.each([
    ['without a boundary', WHOLE, 'multipart/form-data'],
    ['of another kind', WHOLE, 'multipart/mixed; boundary=xxboundaryxx'],
    ['cut short in the file', WHOLE.subarray(0, WHOLE.length - 60), MULTIPART],
    ['cut short before its end', multipart([TRANSACTION, FILE], ''), MULTIPART],
    ['cut short in a head', WHOLE.subarray(0, 60), MULTIPART],
    ['that is none', Buffer.from('{"file":"x"}'), MULTIPART],
  ])('%s is refused', async (_, body, contentType) => {
    expect(await faultsOf(read(inPieces(body), contentType))).toEqual(MALFORMED);
  });

  it('fails as its body does, and so does the file', async () => {
    const body = new Readable({ read: () => undefined });
    const files: Promise<unknown>[] = [];
    const reading = readAttachmentForm({ body, contentType: MULTIPART, limitBytes: LIMIT }, (file) => {
      const all = buffer(file);
      files.push(all);
      return all;
    });
    body.push(WHOLE.subarray(0, WHOLE.length - 60));
    await new Promise(setImmediate);
    body.destroy(new Error('too slow'));
    await expect(reading).rejects.toThrow('too slow');
    await expect(files[0]).rejects.toThrow('too slow');
  });

  it('fails as whoever takes the file does, and reads no further', async () => {
    const body = new Readable({ read: () => undefined });
    const reading = readAttachmentForm({ body, contentType: MULTIPART, limitBytes: LIMIT }, () =>
      Promise.reject(new Error('the disk is full')),
    );
    body.push(WHOLE.subarray(0, WHOLE.length - 60));
    await expect(reading).rejects.toThrow('the disk is full');
    expect(body.destroyed).toBe(true);
  });
});

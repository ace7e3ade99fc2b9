import { randomUUID } from 'node:crypto';
import { MIB } from '../../src/kernel/domain/bytes.js';
import { OFFICE } from '../support/areas.js';
import { aNotification, type EventCaller, eventCaller, startEventService } from '../support/event-service.js';
import { eventually } from '../support/eventually.js';
import { aPdf, aPng, field, file, MULTIPART, multipart, pathOf } from '../support/multipart.js';
import { isS3ServerInstalled, type S3Server, startS3Server } from '../support/s3-server.js';
import {
  answers,
  type ScriptedSubscriber,
  startScriptedSubscriber,
  testAuthority,
} from '../support/scripted-subscriber.js';

/** The largest file that a notification encloses. */
const ENCLOSED = 2 * MIB;
const USER = ['read', 'edit', 'declare', 'register'].map((operation) => `record.${operation}`);

const suite = isS3ServerInstalled() ? describe : describe.skip;

suite('a service whose files are in S3', () => {
  let s3: S3Server;
  let subscriber: ScriptedSubscriber;
  let running: Awaited<ReturnType<typeof startEventService>>;
  let hospital: EventCaller;
  let registrar: EventCaller;
  beforeAll(async () => {
    [s3, subscriber] = await Promise.all([startS3Server(), startScriptedSubscriber()]);
    subscriber.behave(answers(200));
    running = await startEventService({
      ...s3.environment,
      WEBHOOK_ALLOW_CIDRS: '127.0.0.0/8',
      WEBHOOK_CA: testAuthority.certificate,
    });
    const { service } = running;
    hospital = eventCaller(service, (await service.registerClient('HEALTH')).token);
    const user = { sub: 'registrar', userType: 'user', scope: USER, office: OFFICE } as const;
    registrar = eventCaller(service, await service.issuer.token(user));
  });
  afterAll(async () => {
    await running.stop();
    await Promise.all([s3.stop(), subscriber.close()]);
  });

  const upload = async (content: Buffer): Promise<string> => {
    const answer = await running.service.request('POST', '/attachments', {
      token: hospital.token,
      headers: { 'content-type': MULTIPART },
      body: multipart([field('transactionId', randomUUID()), file(content)]),
    });
    expect(answer.status).toBe(200);
    return pathOf(answer);
  };
  const subscribe = async (): Promise<void> => {
    const { token, shaSecret } = await running.service.registerClient('WEBHOOK');
    const hub = { callback: subscriber.url(), mode: 'subscribe', topic: 'BIRTH_REGISTERED', secret: shaSecret };
    expect((await running.service.request('POST', '/webhooks', { token, body: { hub } })).status).toBe(202);
  };
  const tx = () => ({ transactionId: randomUUID(), keepAssignment: true });

  it('keeps what is uploaded there, gives its address to readers, and encloses it in notifications', async () => {
    await subscribe();
    const contents = [aPdf(), aPng(ENCLOSED + 1)];
    const paths = [await upload(contents[0] ?? aPdf()), await upload(contents[1] ?? aPdf())];
    expect(await s3.files()).toBe(2);
    const proof = paths.map((path) => ({ path, originalFilename: 'proof', type: 'image/png', option: 'PROOF' }));
    const declaration = { 'child.name': { firstname: 'Ana', surname: 'Musonda' }, 'documents.proof': proof };
    const { status, event } = await hospital.post('/notify', aNotification({ eventType: 'birth', declaration }));
    expect(status).toBe(200);

    for (const [at, path] of paths.entries()) {
      const fileId = path.slice(path.lastIndexOf('/') + 1);
      const asked = `/events/${event.id}/files/${fileId}/url`;
      expect((await running.service.request('GET', asked, { token: hospital.token })).status).toBe(403);
      const { json } = await running.service.request('GET', asked, { token: registrar.token });
      const { presignedURL } = json as { readonly presignedURL: string };
      expect(new URL(presignedURL).origin).toBe(s3.environment['S3_ENDPOINT']);
      const answer = await fetch(presignedURL);
      expect([answer.status, answer.headers.get('content-disposition')]).toEqual([
        200,
        `attachment; filename="${fileId}"`,
      ]);
      expect(Buffer.from(await answer.arrayBuffer()).equals(contents[at] ?? Buffer.of())).toBe(true);
      const forged = new URL(presignedURL);
      forged.searchParams.set('X-Amz-Expires', '604800');
      expect((await fetch(forged)).status).toBe(403);
    }

    for (const action of ['assign', 'edit', 'declare', 'register']) {
      expect((await registrar.post(`/${event.id}/actions/${action}`, tx())).status).toBe(200);
    }
    await eventually('its registration is told', () => subscriber.notifications.length > 0);
    const told = subscriber.notifications[0]?.body.toString() ?? '';
    expect(told).toContain(`"data":"data:application/pdf;base64,${aPdf().toString('base64')}"`);
    expect(told).toContain(`"url":"${paths[1]}"`);
  });
});

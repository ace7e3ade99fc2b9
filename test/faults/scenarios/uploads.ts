import { createHash, randomUUID } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { eventually } from '../../support/eventually.js';
import { aPng, filesIn } from '../../support/multipart.js';
import type { SlowForm } from '../hospital.js';
import { Hospital, inCrowd } from '../hospital.js';
import type { Scenario } from '../scenario.js';
import type { ServiceProcess } from '../service-process.js';
import type { World } from '../world.js';

const KILLS = 4;
const HOSPITALS = 8;
const CALLERS = 32;
const UPLOADS = 240;
/** Pieces of each file, and the pause between two: whenever a process is killed, it is in the midst of some. */
const SLOW = { pieces: 8, pauseMs: 15 };
const LEAST_BYTES = 20_000;
const MORE_BYTES = 300_000;

/** Files arrive, and the process that takes them in dies. */
export const UPLOAD_SCENARIOS: readonly Scenario[] = [
  {
    fault: 'kill -9 during uploads and the notifications that name them, four times, over two processes',
    dispatch: ['in process'],
    act: killedWhileUploading,
  },
];

/** One file, and what the service said of it. */
interface Attachment {
  readonly transactionId: string;
  readonly form: SlowForm;
  readonly hospital: Hospital;
  path?: string;
  eventId?: string;
}

async function killedWhileUploading(world: World): Promise<void> {
  const directory = await mkdtemp(join(tmpdir(), 'matricula-faults-files-'));
  try {
    const services = [
      await world.startService({ DATA_DIR: directory }),
      await world.startService({ DATA_DIR: directory }),
    ];
    const hospitals = await Promise.all(Array.from({ length: HOSPITALS }, () => Hospital.register(world, services)));
    const attachments = Array.from({ length: UPLOADS }, (_, at): Attachment => {
      const content = aPng(LEAST_BYTES + Math.floor((at * MORE_BYTES) / UPLOADS), at);
      return {
        transactionId: randomUUID(),
        form: { content, ...SLOW },
        hospital: hospitals[at % HOSPITALS] as Hospital,
      };
    });
    let done = 0;
    const uploading = inCrowd(CALLERS, attachments, async (one) => {
      one.path = await one.hospital.upload(one.transactionId, one.form);
      const { id } = await one.hospital.notify(one.transactionId, [one.path]);
      one.eventId = id;
      done += 1;
    });
    const kills = async (): Promise<void> => {
      for (let kill = 0; kill < KILLS; kill += 1) {
        while (done < ((kill + 1) * UPLOADS) / (KILLS + 2)) await sleep(5);
        const service = services[kill % services.length];
        await service?.kill();
        await service?.start();
      }
    };
    await Promise.all([kills(), uploading]);
    await requireAllReadable(world, services, attachments);
    world.seen = await swept(world, services, directory);
  } finally {
    await rm(directory, { recursive: true });
  }
}

/** Every file that was acknowledged and named has an address, where its bytes are those that were sent. */
async function requireAllReadable(
  world: World,
  services: readonly ServiceProcess[],
  attachments: readonly Attachment[],
): Promise<void> {
  const authorization = `Bearer ${await world.userToken(['record.read'])}`;
  await inCrowd(8, [...attachments.entries()], async ([at, { path = '', eventId = '', form }]) => {
    const { publicUrl = '' } = services[at % services.length]?.urls ?? {};
    const fileId = path.slice(path.lastIndexOf('/') + 1);
    const asked = await fetch(`${publicUrl}/events/${eventId}/files/${fileId}/url`, { headers: { authorization } });
    const { presignedURL } = (await asked.json()) as { readonly presignedURL?: string };
    if (presignedURL === undefined) throw new Error(`${path} has no address: ${asked.status}`);
    const answer = await fetch(presignedURL);
    const bytes = Buffer.from(await answer.arrayBuffer());
    if (answer.status !== 200 || !bytes.equals(form.content)) {
      throw new Error(`${path}: ${answer.status}, ${bytes.length} of ${form.content.length} bytes`);
    }
  });
}

/**
 * What the kills left: files that never arrived whole are under no path, so that nobody can name them, and are removed
 * once they are old enough. What is known has its bytes, and the directory has nothing else.
 */
async function swept(world: World, services: readonly ServiceProcess[], directory: string): Promise<string> {
  const leftOver = await count(world, 'path is null');
  if (leftOver === 0) throw new Error('no kill met an upload: nothing was tried');
  await world.query(`update upload set created_at = now() - interval '3 hours' where path is null`);
  const [service] = services;
  await service?.stop();
  await service?.start();
  await eventually('what was left over is gone', async () => (await count(world, 'path is null')) === 0);
  const uploads = await world.query<{ readonly id: string; readonly sha256: Buffer }>('select id, sha256 from upload');
  await inCrowd(8, uploads, async ({ id, sha256 }) => {
    const kept = await readFile(join(directory, 'files', id.slice(0, 2), id));
    if (!createHash('sha256').update(kept).digest().equals(sha256)) throw new Error(`${id} is not what was sent`);
  });
  const [files, drafts] = [await filesIn(join(directory, 'files')), await readdir(join(directory, 'files/incoming'))];
  if (uploads.length !== UPLOADS || files !== UPLOADS || drafts.length > 0) {
    throw new Error(`${UPLOADS} attachments: ${uploads.length} rows, ${files} files, ${drafts.length} drafts`);
  }
  return `${UPLOADS} attachments acknowledged, all of them whole; ${leftOver} that broke off were removed`;
}

async function count(world: World, where: string): Promise<number> {
  const [row] = await world.query<{ count: number }>(`select count(*)::int as count from upload where ${where}`);
  return row?.count ?? 0;
}

import { randomUUID } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type { Service } from './deliveries/service.js';

const OFFICE = '7c11ad4e-4b1f-4c5c-9a0e-0d3f7b1c2a01';
const FIRST = ['Ana', 'Bwalya', 'Chola', 'Dalitso', 'Esnart', 'Febby', 'Gift', 'Hope', 'Inonge', 'Joseph', 'Kunda'];
const LAST = ['Banda', 'Chanda', 'Daka', 'Kabwe', 'Lungu', 'Mwansa', 'Ngoma', 'Phiri', 'Sakala', 'Tembo', 'Zulu'];
const of = (names: readonly string[], number: number): string =>
  `${names[number % names.length] ?? ''}${number % 7 === 0 ? String.fromCharCode(97 + (number % 26)) : ''}`;

interface Notification {
  readonly transactionId: string;
  readonly eventType: string;
  readonly createdAtLocation: string;
  readonly declaration: object;
}

/** The body of a notification; the same for the same number, but for its `transactionId`. */
export const notificationOf = (number: number): Notification => ({
  transactionId: randomUUID(),
  eventType: 'birth',
  createdAtLocation: OFFICE,
  declaration: {
    'child.name': { firstname: of(FIRST, number), middlename: 'Mwila', surname: of(LAST, number >> 3) },
    'child.gender': number % 2 === 0 ? 'female' : 'male',
    'child.dob': `2026-0${1 + (number % 9)}-1${number % 10}`,
    'child.birthType': 'SINGLE',
    'mother.name': { firstname: of(FIRST, number >> 2), surname: of(LAST, number >> 3) },
    'mother.dob': `199${number % 10}-0${1 + (number % 9)}-05`,
    'informant.relation': 'MOTHER',
    'informant.phoneNo': `+26070${String(1_000_000 + number)}`,
  },
});

/** The place that notifications come from. */
export async function importOffice(service: Service): Promise<void> {
  const directory = await mkdtemp(join(tmpdir(), 'matricula-bench-'));
  const file = join(directory, 'places.json');
  await writeFile(file, JSON.stringify({ locations: [{ id: OFFICE, name: 'Office', partOf: null }] }));
  await service.importLocations(file);
  await rm(directory, { recursive: true });
}

import { drawUuid } from '../draw-uuid.js';
import type { Prng } from '../prng.js';

/** The value of a field for a file. */
export type StoredFile = Readonly<{ path: string; originalFilename: string; type: string }>;
/** The value of a field for a file of some kind, such as a proof of birth. */
export type FileOption = StoredFile & Readonly<{ option: string }>;

const KINDS = [
  ['jpg', 'image/jpeg'],
  ['png', 'image/png'],
  ['pdf', 'application/pdf'],
] as const;
const NAMES = ['scan', 'IMG_20', 'WhatsApp Image ', 'document-', 'Ausweis Vorderseite ', 'cópia ', 'نسخة '];

/** A file of the kind, as the country's store would hold it; there is nothing at its path. */
export function drawFile(prng: Prng, directory: string): StoredFile {
  const [extension, type] = prng.pick(KINDS);
  return {
    path: `${directory}/${drawUuid(prng)}.${extension}`,
    originalFilename: `${prng.pick(NAMES)}${String(prng.between(1, 9_999))}.${extension}`,
    type,
  };
}

/** One or two files, each with what it shows. */
export const drawFileOptions = (prng: Prng, directory: string, options: readonly string[]): FileOption[] =>
  Array.from({ length: prng.chance(0.2) ? 2 : 1 }, () => ({
    ...drawFile(prng, directory),
    option: prng.pick(options),
  }));

/** How one people of the country is named. The lists begin with what is common; the rare comes last. */
export interface Culture {
  readonly male: readonly string[];
  readonly female: readonly string[];
  readonly surnames: readonly string[];
  /** What stands between two given names, or two surnames, that are borne as one. */
  readonly joint: string;
  /** How many of its people bear a second surname. */
  readonly doubleSurnames: number;
  /** The form of a surname that a woman bears, where it has one. */
  readonly feminine?: (surname: string) => string;
  /** Whether the father's given name stands where others have a surname. */
  readonly patronymic?: boolean;
}

/** The names of a text that separates them by commas. */
export const listed = (text: string): string[] => text.split(',').map((name) => name.trim());

/** Every stem with every ending, the first of each coming first: a long tail behind a list of common names. */
export function combined(stems: readonly string[], endings: readonly string[], joint = ''): string[] {
  const names: string[] = [];
  for (let distance = 0; distance < stems.length + endings.length; distance++) {
    for (const [at, ending] of endings.entries()) {
      const stem = stems[distance - at];
      if (stem !== undefined) names.push(stem + joint + ending);
    }
  }
  return names;
}

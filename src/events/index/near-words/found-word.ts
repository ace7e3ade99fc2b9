/** A word of some record that is near a searched word. */
export interface FoundWord {
  readonly pathId: number;
  readonly word: string;
  /** How far it is from the searched word: 0, 1 or 2. */
  readonly edits: number;
}

export interface FoundWord {
  readonly pathId: number;
  readonly word: string;
  /** 0, 1 or 2. */
  readonly edits: number;
}

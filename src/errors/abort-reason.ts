/** Why a signal has aborted, as an error that can be thrown. */
export const abortReason = ({ reason }: Pick<AbortSignal, 'reason'>): Error =>
  reason instanceof Error ? reason : new Error(String(reason));
